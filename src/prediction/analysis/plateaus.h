#pragma once

#include <cstddef>
#include <vector>

#include "prediction/analysis/curve.h"

namespace opbench {

/// A change from one plateau of a curve to the next.
struct Rise {
  double last = 0;    ///< last x of the plateau before
  double next = 0;    ///< first x of the plateau behind
  double at = 0;      ///< where half of the change, in ln y, is reached
  double before = 0;  ///< y at the end of the plateau before
  double behind = 0;  ///< y at the begin of the plateau behind
};

/// Where a curve goes from plateau to plateau, as times over the working set do where it outgrows a
/// cache. Runs of points have a line and a noise of their own in log-log, as memory is noisier than
/// caches; runs are as few as the BIC allows, with a margin of `least_gain` for each. A plateau is
/// a run whose slope is below 0.15; changes by less than 8 % are none. x is above 0.
std::vector<Rise> rises_of(const Curve& curve, double least_gain);

}  // namespace opbench
