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

/// Methods that need no measured pairs.
/// - `max`: no part slows another one down.
/// - `sum`: the parts run one after the other.
/// - `curve`: each part slows down as its own sensitivity curve says at the pressure of the others;
///   not at all where the curve is not known.
/// - `bandwidth share`: parts slow down by the factor by which their demands on memory together
///   exceed `bytes_per_ms`, which is what all workers together can move. Left out where that is 0.
std::vector<GroupMethod> plain_group_methods(double bytes_per_ms);

/// The slow-down that a part's sensitivity says at the pressure of the others together.
double curve_slow_down(const GroupPart& own, std::span<const GroupPart> others);

/// Features from which a slow-down is learnt; as many for any number of others. Of the part: time,
/// bandwidth demand, demand on memory, FLOP rate, intensity, working set, pressure. Of the others
/// together: both demands, FLOP rate, working set, pressure. Then the slow-down by the part's
/// curve.
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
