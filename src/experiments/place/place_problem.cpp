#include "experiments/place/place_problem.h"

#include <algorithm>
#include <utility>

namespace opbench {

PlacementProblem problem_of(const PlaceGraph& graph, const std::vector<DevicePower>& powers,
                            double transfer_pj_per_byte) {
  constexpr double kMjPerPj = 1e-9;
  PlacementProblem problem;
  for (size_t d = 0; d < graph.devices.size(); ++d) {
    problem.devices.push_back(graph.devices[d].name);
    problem.idle_w += powers[d].idle_w;
  }
  for (const PlaceUnit& unit : graph.units) {
    DeviceUnit placed{.name = unit.name, .times_ms = unit.times_ms};
    for (size_t d = 0; d < std::min(powers.size(), unit.times_ms.size()); ++d) {
      placed.energy_mj.push_back((powers[d].busy_w - powers[d].idle_w) * unit.times_ms[d]);
    }
    for (const PlaceNeed& need : unit.needs) {
      placed.needs.push_back(
          {.unit = need.unit,
           .transfer_ms = graph.transfer.latency_ms + need.bytes * graph.transfer.ms_per_byte,
           .transfer_mj = need.bytes * transfer_pj_per_byte * kMjPerPj});
    }
    problem.units.push_back(std::move(placed));
  }
  return problem;
}

}  // namespace opbench
