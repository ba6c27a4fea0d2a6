#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "prediction/predict/files/read_samples.h"

namespace opbench {

/// A model of the corpus: of the zoo, or a variant (zoo_variants.h).
struct CorpusModel {
  std::string name;
  std::string family;  ///< left out together
  int64_t seed = -1;   ///< of a variant
};

/// What is measured for the figures of predictions, and where that is kept. Every model that was
/// measured has its records in a file: a run that is killed goes on where it was.
struct Corpus {
  std::filesystem::path folder;
  int threads = 1;
  double model_budget_s = 2;  ///< of pure measuring, for each visit
  double budget_s = 600;      ///< for this run
  std::vector<CorpusModel> models;

  std::filesystem::path training_file() const { return folder / "training.jsonl"; }
  std::filesystem::path truth_file() const { return folder / "truth.jsonl"; }
  std::filesystem::path frozen_file() const { return folder / "frozen.json"; }
};

/// The zoo's models whose expected time is at most `most_s`, and `variants` of each family. Another
/// `seed` draws other variants.
std::vector<CorpusModel> corpus_models(int64_t variants, int64_t seed, double most_s);

/// Measures all models with their units, for the training, then all of them again. Returns how many
/// visits are missing when the budget ends.
Result<size_t> measure_training(const Corpus& corpus);

/// Measures all models end to end, then all of them again. Returns how many visits are missing.
Result<size_t> measure_truth(const Corpus& corpus);

/// Records that halide's predictors for so many threads on this machine may learn from. Measures
/// the machine's ceilings once.
Result<SampleFilter> own_samples(int threads);

/// Samples of the training, their groups the families.
Result<SampleSet> training_samples(const Corpus& corpus);

/// Seconds of the visits, by model.
Result<std::map<std::string, std::vector<double>>> true_times(const Corpus& corpus);

}  // namespace opbench
