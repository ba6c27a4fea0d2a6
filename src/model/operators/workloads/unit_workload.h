#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// The workload of the nodes `indices` of `graph` (a chain, in order); `graph.types` must be
/// complete. Nodes take the form of opset 17. Constants that the operator needs before the run
/// (OperatorDef::parameters) and single elements in elementwise operators stay constants, others
/// become weights. `operands` receives, for every input of the workload's graph in order, the name
/// of the value in `graph`.
Workload workload_of(const Graph& graph, const std::vector<size_t>& indices, int64_t opset,
                     std::vector<std::string>& operands);

}  // namespace opbench
