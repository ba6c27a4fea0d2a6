#pragma once

#include <vector>

#include "kernels/schedules/kernel_builder.h"

namespace opbench {

/// Row `index` of `matrix` times `values`; `index` is constant once its loop is unrolled. Points
/// come in pairs a and -a. The two rows of such a pair in an input's transform, and the two columns
/// in an output's, differ only in signs. Both use the same expression for what they share, so that
/// the compiler computes it once.
Halide::Expr matrix_row(const std::vector<std::vector<double>>& matrix, const Halide::Expr& index,
                        const std::vector<Halide::Expr>& values);

}  // namespace opbench
