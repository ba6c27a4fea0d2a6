#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "prediction/features/config_features.h"
#include "prediction/trees/boosted_trees.h"
#include "tuning/tuners/tuner.h"

namespace opbench {

/// What the configs of other tasks of a template teach about one: boosted trees that are fitted to
/// 500 of them or more (docs/reference/tuners.md, "Trees from other tasks").
class TaughtTrees {
 public:
  TaughtTrees(FeatureKind kind, const TunerInput& input);

  /// Configs of another task; those of another template, and those whose features are not `columns`
  /// numbers, are left out.
  void add(const TunerInput& other, const std::vector<ScoredConfig>& configs, size_t columns);

  /// True if configs were added since the last `fit`.
  bool has_news() const { return !scores_.empty(); }

  /// Trees fitted to what was added, which is then forgotten; nothing when that is too little.
  /// Errors of BoostedTrees.
  Result<std::optional<BoostedTrees>> fit(TreeObjective objective, Random& random);

 private:
  FeatureKind kind_;
  std::string template_;
  FeatureTable features_;
  std::vector<double> scores_;
};

}  // namespace opbench
