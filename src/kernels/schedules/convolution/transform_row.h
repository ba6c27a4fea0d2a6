#pragma once

#include <vector>

#include "kernels/schedules/kernel_builder.h"

namespace opbench {

/// Row `index` of `matrix` times `values`; `index` is constant once its loop is unrolled. Points
/// come in pairs of a and -a, whose rows of an input's transform and whose columns of an output's
/// are alike but for signs: what a pair shares is the same expression in both, for the compiler to
/// compute once.
Halide::Expr matrix_row(const std::vector<std::vector<double>>& matrix, const Halide::Expr& index,
                        const std::vector<Halide::Expr>& values);

}  // namespace opbench
