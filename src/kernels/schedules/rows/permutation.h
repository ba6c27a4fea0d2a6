#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// True for a unit that is a Transpose of a computed float32 tensor.
bool is_transposition(const KernelSpec& spec);

/// The input's axis of every axis of its result, as ONNX counts them.
std::vector<int64_t> permutation_of(const KernelSpec& spec);

}  // namespace opbench
