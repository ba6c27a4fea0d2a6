#pragma once

#include <functional>
#include <vector>

#include "planning/graphs/timed_graph.h"

namespace opbench {

/// By what factor a unit takes longer while another runs beside it. Below 1 counts as 1.
using PairSlowdown = std::function<double(int unit, int beside)>;

/// For every unit its least slow-down beside any unit that may run at the same time. Two units may,
/// if neither needs the other. 1 where there is no such unit.
std::vector<double> least_slowdowns(const UnitGraph& graph, const PairSlowdown& slowdown);

/// For planners, which know no neighbours: a team smaller than `workers` has others beside it, so
/// its times are those alone times the unit's `factor`.
TimedGraph slowed_graph(TimedGraph timed, int workers, const std::vector<double>& factors);

}  // namespace opbench
