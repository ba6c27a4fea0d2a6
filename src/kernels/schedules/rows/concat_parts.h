#pragma once

#include <cstddef>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// True for a unit that is a Concat of float32 tensors, all in the output's layout.
bool is_concat(const KernelSpec& spec);

/// The axis along which its parts are joined.
size_t concat_axis_of(const KernelSpec& spec);

}  // namespace opbench
