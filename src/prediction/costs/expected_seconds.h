#pragma once

#include "model/operators/workloads/workload.h"

namespace opbench {

/// Seconds that one call may take, from FLOPs and bytes at the rates of a small machine.
double expected_seconds(const Workload& workload);

}  // namespace opbench
