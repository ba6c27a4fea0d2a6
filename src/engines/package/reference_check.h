#pragma once

#include "model/operators/workloads/workload.h"

namespace opbench {

/// Whether the operators' references, which run where there is no kernel, take the workload's
/// element types: they run once on zeros. Workloads of float32 alone pass at once. `kInvalidInput`
/// names the operator and the type.
Result<void> check_reference(const Workload& workload);

}  // namespace opbench
