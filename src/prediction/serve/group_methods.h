#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "prediction/serve/segment_group.h"

namespace opbench {

/// A part beside others, and by what factor it took longer. What methods learn from.
struct SlowDownSample {
  GroupPart own;
  std::vector<GroupPart> others;
  double slow_down = 1;
};

/// A group whose parts started at once, and how long it took.
struct GroupSample {
  std::vector<GroupPart> parts;
  std::vector<double> ends_ms;        ///< of each part, measured
  double error = 0;                   ///< relative standard error of the last end
  std::vector<size_t> segments = {};  ///< which each part is, by number; empty: all differ
};

/// Both samples of every pair. Larger groups teach nothing here: they are for judging.
std::vector<SlowDownSample> slow_down_samples(const std::vector<GroupSample>& groups);

/// A way to predict the time of a group, in ms.
struct GroupMethod {
  std::string name;
  std::function<double(const std::vector<GroupPart>&)> predict;
};

/// What is known without learning from pairs: `max` (nobody slows anybody down), `sum` (one after
/// the other), `curve` (a part's own sensitivity at the pressure of the others; 1 where it is not
/// known), and `bandwidth share`: parts slow down by how much their demands on memory together
/// exceed `bytes_per_ms`, what all workers can move together; left out where that is 0.
std::vector<GroupMethod> plain_group_methods(double bytes_per_ms);

/// The slow-down that a part's sensitivity says at the pressure of the others together.
double curve_slow_down(const GroupPart& own, std::span<const GroupPart> others);

/// Numbers that a slow-down is learnt from, the same for any number of others: time, bandwidth
/// demand, demand on memory, FLOP rate, intensity, working set and pressure of the part, demands,
/// FLOP rate, working set and pressure of the others together, and what the part's curve says.
std::vector<float> slow_down_features(const GroupPart& own, std::span<const GroupPart> others);

/// Linear regression of log slow-downs on the features (ridge, so that constant features do no
/// harm). At least one sample.
Result<GroupSlowDown> fit_linear_slow_down(const std::vector<SlowDownSample>& samples);

/// Boosted trees on the same. At least one sample; `kEnvironment` when libxgboost cannot be loaded.
Result<GroupSlowDown> fit_tree_slow_down(const std::vector<SlowDownSample>& samples);

/// Both as methods, `linear` and `trees`, learnt from the pairs among these groups. `kInvalidInput`
/// without a pair.
Result<std::vector<GroupMethod>> fit_group_methods(const std::vector<GroupSample>& groups);

}  // namespace opbench
