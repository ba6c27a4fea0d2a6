#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "experiments/predict/workload_prior.h"
#include "model/graph/graph.h"
#include "prediction/predict/fit_predictor.h"

namespace opbench {

/// Models to measure, each an outline (zoo.h) that stands for many samples.
struct TrainingBatch {
  Model model;
  std::string family;  ///< of a variant; empty for single workloads side by side
  bool is_units = false;
};

/// Which batches come, one after the other: two variants of families, then one of workloads.
/// Equal seeds and numbers draw alike, so that training can go on after a break.
class TrainingBatches {
 public:
  TrainingBatches(uint64_t seed, std::vector<std::string> left_out);

  /// `worst`: kernels (sample identities) with what their errors count; half of the workloads of a
  /// batch are drawn around these. Empty: all are drawn from the built-in models.
  Result<TrainingBatch> batch(int64_t number, const std::vector<PriorWorkload>& worst);

 private:
  TrainingBatch units_batch(int64_t number, const std::vector<PriorWorkload>& worst);

  uint64_t seed_;
  std::vector<std::string> families_;
  std::vector<PriorWorkload> prior_;  ///< of the built-in models; made when first needed
};

/// The workloads of samples with the time by which their predictions were off, in the models that
/// have them.
std::vector<PriorWorkload> badly_predicted(const SampleSet& samples,
                                           const UnseenPredictions& unseen);

}  // namespace opbench
