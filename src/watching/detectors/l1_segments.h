#pragma once

#include <span>
#include <vector>

namespace opbench {

/// Where the segments of a piecewise constant fit begin (the first one's begin left out): the fit
/// with the least sum of distances plus `gamma` a segment, segments of at least `fewest` values.
/// Exact, in time n^2 log n.
std::vector<size_t> l1_segments(std::span<const double> values, double gamma, size_t fewest);

/// The sum of distances of values from their median.
double l1_cost(std::span<const double> values);

}  // namespace opbench
