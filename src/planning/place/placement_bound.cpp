#include <algorithm>
#include <vector>

#include "planning/place/placement_front.h"

namespace opbench {
namespace {

/// The units [begin, end) of a problem alone.
double piece_bound_ms(const PlacementProblem& problem, size_t begin, size_t end) {
  double area = 0;
  double path = 0;
  std::vector<double> ends(end - begin, 0);
  for (size_t i = begin; i < end; ++i) {
    const double fastest = problem.fastest_ms(i);
    double ready = 0;
    for (const UnitNeed& need : problem.needs(i)) {
      const auto maker = static_cast<size_t>(need.unit);
      if (maker >= begin) ready = std::max(ready, ends[maker - begin]);
    }
    ends[i - begin] = ready + fastest;
    path = std::max(path, ends[i - begin]);
    area += fastest;
  }
  return std::max(path, area / static_cast<double>(problem.devices.size()));
}

}  // namespace

double placement_bound_ms(const PlacementProblem& problem) {
  double sum = 0;
  for (const std::vector<int>& piece : pieces_of(problem.graph)) {
    const auto begin = static_cast<size_t>(piece.front());
    sum += piece_bound_ms(problem, begin, begin + piece.size());
  }
  return sum;
}

}  // namespace opbench
