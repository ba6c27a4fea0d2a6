#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// Position of the value `name` among the graph's inputs.
std::optional<size_t> graph_input(const Workload& workload, const std::string& name);

/// Position among the graph's inputs of operand `operand` of node `step`; nothing when it is
/// omitted, a constant or the previous step's result.
std::optional<size_t> input_index(const Workload& workload, size_t step, size_t operand);

/// Type of the value with this name in the workload.
const TensorType& type_of(const Workload& workload, const std::string& name);
const TensorType& output_type(const Workload& workload);

}  // namespace opbench
