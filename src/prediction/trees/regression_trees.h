#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "prediction/trees/boosted_trees.h"

namespace opbench {

/// Boosted regression trees as plain numbers: they predict without XGBoost, the same on every
/// machine, and are kept as readable JSON. Node 0 of `feature`, `value` and `child` is the root of
/// the first tree.
struct RegressionTrees {
  double base = 0;           ///< what the leaves are added to
  std::vector<int> roots;    ///< node of each tree's root
  std::vector<int> feature;  ///< column that a node asks for; -1: a leaf
  std::vector<float> value;  ///< below it the first child is next; of a leaf what it adds
  std::vector<int> child;    ///< the first of two neighbours; 0 for a leaf

  bool is_empty() const { return roots.empty(); }
  /// `row` has as many columns as those that it was fitted with.
  double predict(std::span<const float> row) const;
  bool operator==(const RegressionTrees&) const = default;
};

struct RegressionOptions {
  int rounds = 250;
  int depth = 6;
  double eta = 0.08;
  double least_weight = 1;  ///< of the rows of a leaf together; the mean row has 1
};

/// Trees that minimise the weighted squared error of the labels, by XGBoost with one thread. One
/// label and one weight a row; at least one row and one column. `kEnvironment` when libxgboost
/// cannot be loaded, `kSystem` with its message when it refuses.
Result<RegressionTrees> fit_regression(const FeatureTable& features, std::span<const float> labels,
                                       std::span<const float> weights,
                                       const RegressionOptions& options);

/// {"base", "roots", "feature", "value", "child"}; equal trees, equal text.
Json to_json(const RegressionTrees& trees);

/// The reverse. `kInvalidInput` for what does not describe trees over `columns` columns: lists of
/// different lengths, a child that is no later node, an unknown column.
Result<RegressionTrees> regression_trees_from_json(const Json& json, size_t columns);

}  // namespace opbench
