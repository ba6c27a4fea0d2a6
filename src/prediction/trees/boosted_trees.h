#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "prediction/trees/feature_table.h"

namespace opbench {

enum class TreeObjective {
  kSquaredError,  ///< the label itself: reg:linear, now reg:squarederror
  kPairwiseRank,  ///< its order: rank:pairwise
};

struct TreeOptions {
  TreeObjective objective = TreeObjective::kSquaredError;
  int most_rounds = 8000;
  int patience = 20;      ///< rounds without a better recall of the training rows until it ends; 0:
                          ///< all rounds
  size_t recall = 64;     ///< of how many of the best rows (average_recall.h)
  int depth = 3;          ///< of a tree
  double eta = 0.3;       ///< part of a tree's correction that counts
  bool has_bins = false;  ///< looks for splits between 64 bins of a column: faster
};

/// A question that a tree asks: is the column's value below the threshold?
struct TreeSplit {
  size_t column = 0;
  float threshold = 0;
  double gain = 0;  ///< by how much it lowers the loss of the training rows
};

/// XGBoost's gradient boosted trees with AutoTVM's parameters (docs/reference/tuners.md, "Boosted
/// trees") unless told otherwise: depth 3, gamma 1e-4, eta 0.3, lambda 1, all trees count for a
/// prediction. One thread: reproducible, and kernels are built beside it.
class BoostedTrees {
 public:
  /// One label a row, of which there is at least one, with a column at least. `margins`: what the
  /// trees start from, one a row in the same order; empty: a constant.
  /// `kEnvironment` when libxgboost cannot be loaded, `kSystem` with its message when it refuses.
  static Result<BoostedTrees> fit(const FeatureTable& features, std::span<const float> labels,
                                  const TreeOptions& options, std::span<const float> margins = {});
  BoostedTrees(BoostedTrees&& other) noexcept;
  BoostedTrees& operator=(BoostedTrees&& other) noexcept;
  ~BoostedTrees();

  /// One a row, higher is better; as many columns as it was fitted with. `kSystem` as above.
  Result<std::vector<float>> predict(const FeatureTable& features,
                                     std::span<const float> margins = {}) const;

  /// Trees that it has.
  int size() const;

  /// All splits of all trees. `kSystem` as above.
  Result<std::vector<TreeSplit>> splits() const;

 private:
  struct Booster;
  explicit BoostedTrees(std::unique_ptr<Booster> booster);
  std::unique_ptr<Booster> booster_;
};

}  // namespace opbench
