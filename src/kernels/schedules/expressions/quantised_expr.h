#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace Halide {
struct Expr;
struct Type;
}  // namespace Halide

namespace opbench {

/// The type that a QuantizeLinear gives without a zero point; with one, the zero point's.
Halide::Type quantised_type(const Node& node);

/// round(value) + zero_point within the ends of `type`, an integer of 8 bits; halves go to even.
/// `value` is a float32, `zero_point` of type `type`.
Halide::Expr saturated_to(const Halide::Type& type, const Halide::Expr& value,
                          const Halide::Expr& zero_point);

/// The node QuantizeLinear at one element: x / scale as ONNX defines it, not x times an inverse,
/// which would round other quotients to halves. `zero_point` may be undefined: 0.
Halide::Expr quantised(const Node& node, const Halide::Expr& x, const Halide::Expr& scale,
                       const Halide::Expr& zero_point);

/// (x - zero point) * scale, float32.
Halide::Expr dequantised(const Halide::Expr& x, const Halide::Expr& scale,
                         const Halide::Expr& zero_point);

/// The node QLinearAdd at one element. `operands` as the node's; zero points may be undefined: 0.
Halide::Expr quantised_sum(const std::vector<Halide::Expr>& operands);

}  // namespace opbench
