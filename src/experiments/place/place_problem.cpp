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
    GraphUnit placed{.name = unit.name, .kind = unit.kind};
    std::vector<double> energy_mj;
    for (size_t d = 0; d < std::min(powers.size(), unit.times_ms.size()); ++d) {
      energy_mj.push_back((powers[d].busy_w - powers[d].idle_w) * unit.times_ms[d]);
    }
    std::vector<EdgeTransfer> transfers;
    for (const PlaceNeed& need : unit.needs) {
      placed.needs.push_back({.unit = need.unit, .bytes = static_cast<int64_t>(need.bytes)});
      transfers.push_back(
          {.ms = graph.transfer.latency_ms + need.bytes * graph.transfer.ms_per_byte,
           .mj = need.bytes * transfer_pj_per_byte * kMjPerPj});
    }
    problem.add(std::move(placed), unit.times_ms, std::move(energy_mj), std::move(transfers));
  }
  return problem;
}

}  // namespace opbench
