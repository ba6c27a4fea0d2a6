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
    const DeviceUnit& unit = problem.units[i];
    const double fastest = *std::ranges::min_element(unit.times_ms);
    double ready = 0;
    for (const TransferNeed& need : unit.needs) {
      const auto maker = static_cast<size_t>(need.unit);
      if (maker >= begin) ready = std::max(ready, ends[maker - begin]);
    }
    ends[i - begin] = ready + fastest;
    path = std::max(path, ends[i - begin]);
    area += fastest;
  }
  return std::max(path, area / static_cast<double>(problem.devices.size()));
}

/// For every unit the units that it needs, directly or through others: [unit][other].
std::vector<std::vector<bool>> ancestors(const PlacementProblem& problem) {
  std::vector<std::vector<bool>> all(problem.size(), std::vector<bool>(problem.size(), false));
  for (size_t i = 0; i < problem.size(); ++i) {
    for (const TransferNeed& need : problem.units[i].needs) {
      const auto maker = static_cast<size_t>(need.unit);
      all[i][maker] = true;
      for (size_t j = 0; j < maker; ++j) all[i][j] = all[i][j] || all[maker][j];
    }
  }
  return all;
}

}  // namespace

double placement_bound_ms(const PlacementProblem& problem) {
  const auto all = ancestors(problem);
  // How many of the first units every unit has among its ancestors.
  std::vector<size_t> known(problem.size(), 0);
  for (size_t i = 0; i < problem.size(); ++i) {
    while (known[i] < i && all[i][known[i]]) ++known[i];
  }
  double sum = 0;
  size_t begin = 0;
  for (size_t cut = 1; cut <= problem.size(); ++cut) {
    const bool is_cut = std::all_of(known.begin() + static_cast<std::ptrdiff_t>(cut), known.end(),
                                    [&](size_t count) { return count >= cut; });
    if (!is_cut) continue;
    sum += piece_bound_ms(problem, begin, cut);
    begin = cut;
  }
  return sum;
}

}  // namespace opbench
