#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/ceilings/transfer_pace.h"
#include "machine/facts/topology.h"
#include "planning/graphs/timed_graph.h"

namespace opbench {

/// What it costs to read what another CPU made.
struct HandoffCost {
  double latency_ms = 0;   ///< until a worker knows that it is there
  double ms_per_byte = 0;  ///< longer than to read what it made itself
  /// Which of both is measured and which is modelled, and why; empty: one worker, nothing is read
  /// from another.
  std::string source;
};

/// From the time of a cache line between two CPUs (nothing: it could not be timed) and the pace of
/// bytes. Where the pace is not known, bytes move at the pace of the last cache, by model; they are
/// free where that is not known either.
HandoffCost handoff_cost_of(const std::optional<double>& line_ns, const TransferPace& pace,
                            const std::optional<BandwidthCeiling>& last_cache);

/// What each edge costs workers: a hand-off the latency, a transfer its bytes at the pace of bytes.
/// `kInvalidInput` that names the unit where the bytes of an edge are not known.
Result<EdgeCosts> edge_costs_of(const UnitGraph& graph, const HandoffCost& handoff);

/// Measured between the first two workers' CPUs. `cache`: where ceilings are kept. Errors are those
/// of ceilings(), which are asked for where the pace of bytes cannot be measured.
Result<HandoffCost> measured_handoff_cost(const std::vector<int>& cpus, const Topology& topology,
                                          const std::filesystem::path& cache);

}  // namespace opbench
