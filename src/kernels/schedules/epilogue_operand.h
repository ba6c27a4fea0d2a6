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

}  // namespace opbench
