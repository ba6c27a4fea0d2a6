#pragma once

#include "kernels/tasks/template.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// What a task computes, in plain layouts: a convolution, dense layer or batch of matrix products.
/// `kInvalidInput` for a template of another operator and for arguments that it does not take.
Result<Workload> workload_of_task(const Task& task);

}  // namespace opbench
