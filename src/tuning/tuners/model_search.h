#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/numbers/random.h"
#include "prediction/features/config_features.h"
#include "prediction/trees/boosted_trees.h"
#include "tuning/tuners/annealing.h"
#include "tuning/tuners/sparse_shuffle.h"
#include "tuning/tuners/taught_trees.h"
#include "tuning/tuners/tuner.h"

namespace opbench {

struct ModelSearchOptions {
  FeatureKind features = FeatureKind::kItervar;
  TreeObjective objective = TreeObjective::kSquaredError;
};

/// AutoTVM's model-based search (docs/reference/tuners.md, "Model-based search"). Configs are
/// random until 64 are known. Then boosted trees are fitted to all known configs, and again after
/// every 64 more. Each time simulated annealing plans the 64 configs that the trees think best, and
/// these are given, the best first. The last three of a plan, and configs beyond the plan, are
/// random.
///
/// If other tasks of the template taught something, that comes first. Trees fitted to 500 or more
/// of their configs plan the first configs. Trees fitted later start from the predictions of those,
/// times 2^(-n / 64) with n samples, as long as that factor is at least 0.05.
///
/// Differences from AutoTVM: predictions of other tasks' trees stand in the order of the rows;
/// planned configs of a negative score stay in the plan; a log of many trials is learnt at once,
/// not 64 trials at a time; equal seeds give equal configs.
class ModelSearch : public Tuner {
 public:
  ModelSearch(const TunerInput& input, const ModelSearchOptions& options);

  std::vector<uint64_t> next(size_t count) override;
  void tell(uint64_t index, double score) override;
  void learn_from(const TunerInput& other, const std::vector<ScoredConfig>& configs) override;

 private:
  bool can_learn() const;
  Result<void> learn();
  Result<BoostedTrees> fit();
  Result<void> fit_base();
  void make_plan(const BoostedTrees& trees, bool is_base);
  /// What the trees start from; empty: without others' configs.
  Result<std::vector<float>> margins(const FeatureTable& features) const;
  void find_columns(const std::vector<uint64_t>& configs);
  FeatureTable table_of(const std::vector<uint64_t>& configs);
  std::optional<uint64_t> planned();
  std::optional<uint64_t> random_config();

  Random random_;
  ModelSearchOptions options_;
  TaughtTrees others_;
  ConfigFeatures features_;
  size_t columns_ = 0;  ///< of the features; 0: not known yet
  Annealing annealing_;
  Random draws_;  ///< draws the same ones as the tuner `random`, so that searches compare
  SparseShuffle shuffle_;
  std::vector<ScoredConfig> samples_;
  double best_score_ = 0;
  size_t learnt_ = 0;                     ///< times 64 samples
  std::unordered_set<uint64_t> visited_;  ///< given or told
  std::unordered_set<uint64_t> told_;
  std::optional<BoostedTrees> base_;  ///< learnt from them
  double discount_ = 0;               ///< of its predictions, in the trees fitted last
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
