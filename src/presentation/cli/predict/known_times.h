#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/errors/error.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// What a file says of one model on one device.
struct KnownTime {
  std::optional<PredictedTime> measured;   ///< of several visits the fastest
  std::optional<PredictedTime> predicted;  ///< of several the last
};

/// Times of whole models by their names: benchmark records, measured or predicted ones, or CSV with
/// the columns model, median_ms and, if they are known, low_ms and high_ms, which are measured.
/// `kInvalidInput`: it cannot be read, a missing column, what is no time (with its line).
Result<std::map<std::string, KnownTime>> read_device_times(const std::filesystem::path& file);

}  // namespace opbench
