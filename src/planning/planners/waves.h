#pragma once

#include <vector>

#include "planning/graphs/unit_graph.h"

namespace opbench {

/// The units by the longest chain of needs before them: units of a wave do not need each other
/// (Rammer: Ma and others, OSDI 2020).
std::vector<std::vector<int>> waves_of(const UnitGraph& graph);

}  // namespace opbench
