#pragma once

#include <array>
#include <cstdint>

#include "kernels/schedules/kernel_spec.h"
#include "model/graph/graph.h"

namespace opbench {

/// Two units as one model whose halves have nothing in common: values of the first are called a_…,
/// those of the second b_…. Weights have values from `seed`.
Model model_of_set(const std::array<KernelSpec, 2>& units, uint64_t seed);

}  // namespace opbench
