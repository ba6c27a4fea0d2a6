#pragma once

#include <map>
#include <string>
#include <vector>

#include "engines/catalog/engine.h"
#include "kernels/schedules/kernel_choice.h"
#include "planning/graphs/unit_graph.h"
#include "planning/together/kept_set.h"

namespace opbench {

/// Kernels that win side by side, for one thread: those of sets of two units that neither needs the
/// other of in this graph, whose choice is to run side by side. `units` are the graph's. Of two
/// sets with a unit in common, the one that gained more gives its kernel, of equal ones that of the
/// smaller key; of two equal units in a set the first. Origins are `set KEY`.
std::vector<KernelChoice> set_kernels(const std::map<std::string, KeptSet>& sets,
                                      const UnitGraph& graph,
                                      const std::vector<PreparedUnit>& units);

}  // namespace opbench
