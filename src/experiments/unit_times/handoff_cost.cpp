#include "experiments/unit_times/handoff_cost.h"

#include <fmt/format.h>

#include "base/system/seconds.h"
#include "machine/ceilings/line_time.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

Result<std::optional<BandwidthCeiling>> modelled_level(int cpu, const Topology& topology,
                                                       const std::filesystem::path& cache) {
  const std::string machine = capture_environment().machine_hash;
  OPBENCH_TRY(const Ceilings found, ceilings({cpu}, topology, machine, cache));
  return last_cache_of(found);
}

}  // namespace

HandoffCost handoff_cost_of(const std::optional<double>& line_ns, const TransferPace& pace,
                            const std::optional<BandwidthCeiling>& last_cache) {
  HandoffCost cost;
  cost.source = "a line there and back: not known, it could not be timed, so hand-offs are free";
  if (line_ns) {
    cost.latency_ms = ns_to_ms(2 * *line_ns);
    cost.source = fmt::format("a line there and back {:.0f} ns, measured", 2 * *line_ns);
  }
  if (pace.ns_per_byte) {
    cost.ms_per_byte = ns_to_ms(*pace.ns_per_byte);
    cost.source += fmt::format("; a byte {:.4f} ns, measured", *pace.ns_per_byte);
    return cost;
  }
  if (!last_cache) {
    cost.source +=
        fmt::format("; bytes are free, as no cache's pace is known; measured: {}", pace.reason);
    return cost;
  }
  const double ns = 1 / last_cache->one_thread;  // GB/s: bytes a ns
  cost.ms_per_byte = ns_to_ms(ns);
  cost.source += fmt::format("; a byte {:.4f} ns, modelled by {} at {:.1f} GB/s; measured: {}", ns,
                             last_cache->level, last_cache->one_thread, pace.reason);
  return cost;
}

Result<EdgeCosts> edge_costs_of(const UnitGraph& graph, const HandoffCost& handoff) {
  EdgeCosts costs(graph.size());
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      if (!need.bytes) {
        return invalid_input(fmt::format("how many bytes {} reads of unit {} is not known",
                                         quoted_unit(graph, i), need.unit));
      }
      costs[i].push_back({.handoff_ms = handoff.latency_ms,
                          .transfer_ms = static_cast<double>(*need.bytes) * handoff.ms_per_byte});
    }
  }
  return costs;
}

Result<HandoffCost> measured_handoff_cost(const std::vector<int>& cpus, const Topology& topology,
                                          const std::filesystem::path& cache) {
  if (cpus.size() < 2) return HandoffCost{};
  const std::optional<double> line_ns = line_time_ns(cpus[0], cpus[1]);
  const TransferPace pace = measured_transfer_pace(cpus[0], cpus[1]);
  std::optional<BandwidthCeiling> level;
  if (!pace.ns_per_byte) {
    OPBENCH_TRY(level, modelled_level(cpus[0], topology, cache));
  }
  return handoff_cost_of(line_ns, pace, level);
}

}  // namespace opbench
