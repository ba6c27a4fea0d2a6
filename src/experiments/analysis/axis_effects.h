#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/swept_times.h"
#include "prediction/analysis/curve.h"

namespace opbench {

/// A split of the trees that were fitted to several axes.
struct AxisThreshold {
  double threshold = 0;
  double share = 0;  ///< of the gain of all splits
};

/// What one of several axes does.
struct AxisEffect {
  std::string axis;
  double share = 0;  ///< of the variance of ln time that the axis explains alone
  bool has_effect = false;
  double gain_share = 0;              ///< of the gain of all splits of the trees
  std::vector<AxisThreshold> splits;  ///< most gain first, at most three
};

/// What several axes do together.
struct AxisModel {
  std::vector<AxisEffect> effects;  ///< in the order of `axes`
  std::vector<Curve> curves;        ///< time over each axis, the others averaged
  double unexplained = 0;
  bool is_surrogate = false;  ///< the points are no full grid: curves are the trees'
};

/// Main effects of the columns `axes` (numeric, each with two values at least) on ln time. Of a
/// full grid the curves are means over the other axes. Otherwise they are the partial dependence
/// (Friedman 2001) of boosted trees. Errors are those of BoostedTrees.
Result<AxisModel> axis_model(const SweptTimes& table, const std::vector<size_t>& axes);

}  // namespace opbench
