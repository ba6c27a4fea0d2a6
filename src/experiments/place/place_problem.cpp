#include "experiments/place/place_problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {

Result<PlacementProblem> problem_of(const PlaceGraph& graph, const std::vector<DevicePower>& powers,
                                    double transfer_pj_per_byte) {
  constexpr double kMjPerPj = 1e-9;
  PlacementProblem problem{.graph = graph.graph, .times_ms = graph.times_ms};
  for (size_t d = 0; d < graph.devices.size(); ++d) {
    problem.devices.push_back(graph.devices[d].name);
    problem.idle_w += powers[d].idle_w;
  }
  for (size_t i = 0; i < graph.size(); ++i) {
    const std::vector<double>& times_ms = graph.times_ms[i];
    std::vector<double>& energy_mj = problem.energy_mj.emplace_back();
    for (size_t d = 0; d < std::min(powers.size(), times_ms.size()); ++d) {
      energy_mj.push_back((powers[d].busy_w - powers[d].idle_w) * times_ms[d]);
    }
    std::vector<EdgeTransfer>& transfers = problem.transfers.emplace_back();
    for (const UnitNeed& need : problem.needs(i)) {
      if (!need.bytes) {
        return invalid_input(fmt::format("how many bytes {} reads of unit {} is not known",
                                         quoted_unit(graph.graph, i), need.unit));
      }
      const auto bytes = static_cast<double>(*need.bytes);
      transfers.push_back({.ms = graph.transfer.latency_ms + bytes * graph.transfer.ms_per_byte,
                           .mj = bytes * transfer_pj_per_byte * kMjPerPj});
    }
  }
  return problem;
}

}  // namespace opbench
