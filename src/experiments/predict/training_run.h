#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/files/read_samples.h"
#include "prediction/predict/fit_predictor.h"

namespace opbench {

struct TrainingProgress {
  std::string stage;                  ///< read, measure, learn
  std::string batch;                  ///< what is measured: `resnet-17`
  int64_t batches = 0;                ///< measured so far, those of earlier calls too
  int64_t units = 0;                  ///< samples of units
  double left_s = 0;                  ///< of the budget
  std::optional<double> unit_error;   ///< median, of units that the predictor has not seen
  std::optional<double> model_error;  ///< mean, of models that it has not seen
};

/// When a training ends.
struct TrainingBudget {
  double total_s = 1800;  ///< for measuring and learning; 0: learns from what there is
  double batch_s = 2;     ///< of pure measuring, for a batch
  double goal = 0.03;     ///< ends when the mean error of unseen models is so small
};

/// How a predictor gets its samples.
struct TrainingRequest {
  std::string engine;
  int threads = 1;
  std::filesystem::path folder;  ///< of predictors; samples are kept beside them
  TrainingBudget budget;
  bool is_random = false;  ///< draws without looking at errors
  uint64_t seed = 0;
  std::vector<std::filesystem::path> records;             ///< more records to learn from
  std::vector<std::string> left_out;                      ///< families of which nothing is measured
  std::vector<std::string> argv;                          ///< for the records
  std::function<void(const TrainingProgress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

struct TrainingResult {
  UnitPredictor predictor;
  std::filesystem::path path;
  std::filesystem::path samples;  ///< the file of records
  int64_t batches = 0;            ///< measured by this call
  int64_t disturbed = 0;          ///< times that other work on the machine spoilt
  std::string why;                ///< it ended: budget, goal, interrupted
  std::vector<std::string> warnings;
};

/// Measures batches until the budget ends or the goal is reached: models of random width and depth
/// (zoo_variants.h), and batches of single workloads around those that were predicted worst. A
/// batch counts once its records are in the file of samples, so a killed training goes on where it
/// was. `kInvalidInput`: an engine whose kernels are not known before a run, too many threads, an
/// unreadable file. `kNoMatch`: nothing was measured and there are no samples.
Result<TrainingResult> run_training(const TrainingRequest& request);

/// `FOLDER/halide-t1.samples.jsonl`
std::filesystem::path samples_path(const std::filesystem::path& folder, const std::string& engine,
                                   int threads);

}  // namespace opbench
