#pragma once

#include "kernels/schedules/schedule.h"
#include "prediction/workloads/effort.h"

namespace opbench {

/// The work of a spec that has a schedule and a config, or none of both (the references then run).
KernelWork kernel_work(const KernelSpec& spec);

}  // namespace opbench
