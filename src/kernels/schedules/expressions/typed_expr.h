#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace Halide {
struct Expr;
struct Type;
}  // namespace Halide

namespace opbench {

/// The type of a buffer's elements in a kernel: bool is one byte, 0 or 1.
Halide::Type halide_type(DataType type);

/// True if `typed_expr` computes the node on operands of these types: comparisons and logic with
/// bool results, choices, casts, sums and products of integers. 16-bit floats are cast from and to
/// float32, no more.
bool has_typed_expr(const Node& node, const std::vector<DataType>& operands, DataType result);

/// The node's result at one element from its operands there. Integers wrap around; comparisons and
/// choices keep infinities and NaN. `has_half_casts`: of the target (half_casts.h).
Halide::Expr typed_expr(const Node& node, const std::vector<Halide::Expr>& operands,
                        DataType result, bool has_half_casts);

/// The elements of a constant as immediates; nothing for types that kernels have no immediates of.
std::vector<Halide::Expr> immediates(const Tensor& constant);
bool has_immediates(DataType type);

}  // namespace opbench
