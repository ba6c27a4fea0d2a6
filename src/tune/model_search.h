#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "opbench/base/random.h"
#include "opbench/tune/annealing.h"
#include "opbench/tune/boosted_trees.h"
#include "opbench/tune/point_features.h"
#include "opbench/tune/sparse_shuffle.h"
#include "opbench/tune/tuner.h"

namespace opbench {

struct ModelSearchOptions {
  FeatureKind features = FeatureKind::kItervar;
  TreeObjective objective = TreeObjective::kSquaredError;
};

/// AutoTVM's model-based search (spec/search-space.md 4.4): random points until 64 are known; then
/// boosted trees are fitted to all that is known, and again with every 64 more, simulated annealing
/// plans the 64 points that they think best, and these are given, the best first. The last three of
/// a plan, and what is asked for beyond it, are random ones.
///
/// Other than in AutoTVM planned points of a negative score stay in the plan, a log of many trials
/// is learnt at once and not 64 trials at a time, and equal seeds give equal points.
class ModelSearch : public Tuner {
 public:
  ModelSearch(const TunerInput& input, const ModelSearchOptions& options);

  std::vector<uint64_t> next(size_t count) override;
  void tell(uint64_t index, double score) override;

 private:
  struct Sample {
    uint64_t point = 0;
    double score = 0;
  };

  bool can_learn() const;
  Result<void> learn();
  Result<BoostedTrees> fit();
  FeatureTable table_of(const std::vector<uint64_t>& points);
  std::optional<uint64_t> planned();
  std::optional<uint64_t> random_point();

  Random random_;
  ModelSearchOptions options_;
  PointFeatures features_;
  size_t columns_ = 0;  ///< of the features; 0: not known yet
  Annealing annealing_;
  SparseShuffle shuffle_;
  std::vector<Sample> samples_;
  double best_score_ = 0;
  size_t learnt_ = 0;                     ///< times 64 samples
  std::unordered_set<uint64_t> visited_;  ///< given or told
  std::unordered_set<uint64_t> told_;
  std::vector<uint64_t> plan_;
  size_t at_ = 0;  ///< in the plan
};

/// `itervar`, or `knob` for a template whose loops are not known here.
FeatureKind features_for(const TunerInput& input);

/// `kEnvironment` when the trees' library is not there.
Result<void> check_trees(const Task& task);

/// The same, and `kInvalidInput` when the loops of the task's template are not known here.
Result<void> check_loop_features(const Task& task);

}  // namespace opbench
