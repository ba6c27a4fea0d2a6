#pragma once

#include <cstddef>
#include <vector>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// Places, in `graph.inputs`, of the operands of data (`weights` false) or of the weights.
std::vector<size_t> operands_of(const Workload& workload, bool weights);

}  // namespace opbench
