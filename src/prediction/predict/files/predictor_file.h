#pragma once

#include <filesystem>
#include <string>

#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// One JSON object with the schema `opbench.predictor/2` (docs/reference/predictors.md): what it is
/// for, its cards, its trees as numbers, the records it learnt from.
std::string to_text(const UnitPredictor& predictor);

/// The reverse. `kInvalidInput` naming the part that is missing or damaged, or another schema.
Result<UnitPredictor> parse_predictor(const std::string& text);

/// `FOLDER/halide-t1.json`
std::filesystem::path predictor_path(const std::filesystem::path& folder, const std::string& engine,
                                     int threads);

/// Where predictors of this machine are kept unless somebody says otherwise:
/// CACHE/predictors/MACHINE-HASH.
std::filesystem::path predictor_folder(const std::string& machine_hash);

/// Which predictor is asked for.
struct PredictorPlace {
  std::filesystem::path folder;
  std::string engine;
  int threads = 1;
  std::string machine_hash;  ///< of this machine
};

/// `kNoMatch` when there is none, `kInvalidInput` for a damaged file, both with the whole command
/// that makes it; `kInvalidInput` for one of another machine, with both hashes.
Result<UnitPredictor> load_predictor(const PredictorPlace& place);

/// Why its times may be wrong: it learnt from kernels of other schedules. Empty: nothing is known.
std::string staleness_of(const UnitPredictor& predictor);

/// Written whole or not at all.
Result<void> save_predictor(const UnitPredictor& predictor, const std::filesystem::path& path);

}  // namespace opbench
