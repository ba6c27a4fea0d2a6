#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
}  // namespace Halide

namespace opbench {

/// How an operand of an elementwise step lies in memory.
struct EpilogueOperand {
  bool is_packed = false;  ///< a weight as `pack_epilogue_weight` lays it out
  Layout layout;
  Shape extents;  ///< physical, outermost first
};

/// The form in which `KernelBuilder::epilogue` reads graph input `index`.
EpilogueOperand epilogue_operand(const KernelSpec& spec, size_t index);

/// Where to read an operand of `shape` in `layout` for the output's element at `position` (Halide's
/// order): ONNX broadcasting, trailing dimensions aligned. Lanes past the last channel read the
/// last channel of operands that have no such lanes.
std::vector<Halide::Expr> operand_position(const KernelSpec& spec, const Shape& shape,
                                           Layout layout,
                                           const std::vector<Halide::Expr>& position);

/// The element of a small constant for the output's element at `position`, as an immediate, or a
/// selection among immediates.
Halide::Expr constant_value(const KernelSpec& spec, const Tensor& constant,
                            const std::vector<Halide::Expr>& position);

/// True if the step is one of `elementwise_expr`: on float32, or a scaling from or to it.
bool is_float_step(const KernelSpec& spec, const Node& node);

/// True if `KernelBuilder::epilogue` can compute the steps from `first_step` on. It can compute
/// known operators on float32; scalings between float32 (or int32) and 8-bit integers; and, with
/// plain layouts, the operators of typed_expr.h on other types. Every result must be as large as
/// the output, and operands must broadcast to it.
bool can_epilogue(const KernelSpec& spec, size_t first_step = 1);

/// Graph input `index`, a weight that steps after the anchor read, as `epilogue` expects it: as it
/// stands beside a plain output; beside a blocked one its channels (if more than one) are split
/// into blocks, the last channel repeated in the lanes past the end.
Result<Tensor> pack_epilogue_weight(const KernelSpec& spec, size_t index, const Tensor& weight);

}  // namespace opbench
