#pragma once

#include <vector>

#include "opbench/schedule/kernel_builder.h"

namespace opbench {

/// Row `index` of `matrix` times `values`; `index` is constant once its loop is unrolled.
Halide::Expr matrix_row(const std::vector<std::vector<double>>& matrix, const Halide::Expr& index,
                        const std::vector<Halide::Expr>& values);

}  // namespace opbench
