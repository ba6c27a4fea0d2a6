#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace Halide {
struct Expr;
}  // namespace Halide

namespace opbench {

/// True if `elementwise_expr` knows the node's operator.
bool has_elementwise_expr(const Node& node);

/// True if the node may make an infinity or NaN of finite operands (log, division): lanes past the
/// last channel of a blocked layout are then set to zero.
bool may_leave_finite(const Node& node);

/// The node's result at one element from its operands there: float32, but for the integers that
/// QuantizeLinear makes and DequantizeLinear takes. An omitted operand is an undefined expression.
/// Never becomes a call of libm: only what Halide vectorises itself.
Halide::Expr elementwise_expr(const Node& node, const std::vector<Halide::Expr>& operands);

}  // namespace opbench
