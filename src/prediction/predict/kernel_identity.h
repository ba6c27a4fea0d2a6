#pragma once

#include <string>

#include "kernels/schedules/kernel_spec.h"

namespace opbench {

/// Equal for kernels that one measurement stands for: of the same workload, channel blocks and
/// schedule.
std::string kernel_identity(const KernelSpec& spec);

}  // namespace opbench
