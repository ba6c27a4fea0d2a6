#pragma once

#include <vector>

#include "kernels/loops/nest_loops.h"

namespace opbench {

/// AutoTVM's feature `itervar` (docs/reference/tuners.md, "Loop features") without the option
/// knobs. For every loop: L(extent), its level, L(iterations from the root), L(the most iterations
/// under it of any access), eleven flags of its kind, L(additions), L(multiplications),
/// L(divisions) directly in its body; then for every access under it, by name and number:
/// L(stride), L(-1), L(count), L(reuse), and of a parallel loop L of the factors by which count and
/// reuse grow with it, else 0. L(x) is log2(x + 1), -log2(1 - x) below 0; count is the product of
/// the extents from the loop inwards that the address depends on, reuse of the others.
std::vector<float> itervar_features(const LoopNest& nest);

/// AutoTVM's feature `curve`, without the option knobs: for each buffer that is touched in the
/// innermost loops how count, reuse and iterations from the root grow together, sampled at 0 to 19
/// doublings. 160 numbers a buffer.
std::vector<float> curve_features(const LoopNest& nest);

}  // namespace opbench
