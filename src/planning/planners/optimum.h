#pragma once

#include <cstddef>
#include <optional>

#include "planning/graphs/timed_graph.h"

namespace opbench {

/// The shortest makespan of all schedules of units on teams, by exhaustive search with bounds and
/// dominance; hand-offs and merges are left out. Nothing when more than `most_states` states would
/// have to be visited: meant for graphs of up to about 12 units.
std::optional<double> optimum_ms(const TimedGraph& timed, int workers, size_t most_states);

}  // namespace opbench
