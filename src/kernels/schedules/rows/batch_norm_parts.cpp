#include "kernels/schedules/rows/batch_norm_parts.h"

#include <halide14/Halide.h>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

bool is_batch_norm(const KernelSpec& spec) {
  if (!takes_anchor(spec, "BatchNormalization")) return false;
  const Shape& shape = anchor_type(spec, 0).shape;
  if (shape.size() < 2) return false;
  for (size_t operand = 1; operand <= 4; ++operand)
    if (!is_readable(spec, operand) || anchor_type(spec, operand).shape != Shape{shape[1]})
      return false;
  return true;
}

Func define_batch_norm(const KernelSpec& spec, KernelBuilder& builder, BatchNorm& norm) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const Var p("p"), c("c"), n("n");
  const auto number = [&](size_t operand) { return operand_value(spec, builder, operand, {c}); };
  Func factor("factor"), offset("offset"), out("out");
  const float epsilon = float_attribute(anchor_of(spec), "epsilon", 1e-5f);
  factor(c) = number(1) / Halide::sqrt(number(4) + epsilon);
  offset(c) = number(2) - number(3) * factor(c);
  std::vector<Expr> position(shape.size(), Expr(0));
  if (shape.size() > 2) position[0] = p;
  position[position.size() - 2] = c;
  position.back() = n;
  const Expr x = builder.operand(*input_index(spec.workload, 0, 0))(position);
  std::vector<Expr> at = unflatten(p, shape, 2, shape.size());
  at.insert(at.end(), {c, n});
  out(p, c, n) = builder.epilogue(x * factor(c) + offset(c), at);
  norm = {.vars = {p, c, n},
          .extents = {product(shape, 2, shape.size()), shape[1], shape[0]},
          .numbers = {factor, offset}};
  builder.set_output_extents(norm.extents);
  return out;
}

}  // namespace opbench
