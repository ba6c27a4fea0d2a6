#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/errors/error.h"
#include "prediction/analysis/curve.h"

namespace opbench {

/// What a search with few probes found.
struct ProbeSearch {
  Curve probes;               ///< by x
  std::vector<double> order;  ///< x of the probes as they were taken
  CurvePoint fastest;         ///< of the probes
  CurvePoint enough;          ///< the first probe within the tolerance of the fastest
};

/// Gives the time of the `index`th value of the axis; an error ends the search.
using Probe = std::function<Result<double>(size_t index)>;

/// Looks for the least time among ascending `values` with at most `budget` probes, at least 1.
/// First the last value, half of it, a quarter, until the time clearly rises, as in the hill
/// climbing of Liu et al. (IPDPS 2019) read from the top: a model rarely gets slower by the last
/// threads, so that the best lies high. Then the middle of the wider gap beside the fastest probe,
/// the lower one of equal gaps. The last quarter of the budget goes beside the first probe within
/// `tolerance` of the fastest: that narrows down the least value that is enough, and finds a step
/// from both sides.
Result<ProbeSearch> search_with_probes(const std::vector<double>& values, size_t budget,
                                       double tolerance, const Probe& probe);

}  // namespace opbench
