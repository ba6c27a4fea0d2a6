#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> batch_norm_default_config(const KernelSpec& spec) {
  if (!takes_anchor(spec, "BatchNormalization") || !is_plain(spec)) return std::nullopt;
  const Shape& shape = anchor_type(spec, 0).shape;
  if (shape.size() < 2) return std::nullopt;
  for (size_t operand = 1; operand <= 4; ++operand)
    if (!is_readable(spec, operand) || anchor_type(spec, operand).shape != Shape{shape[1]})
      return std::nullopt;
  return Config{};
}

/// x * factor + offset with both made of the channel's four numbers beside the loop over a plane.
Func build_batch_norm(const KernelSpec& spec, KernelBuilder& builder) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const std::vector<int64_t> extents = {product(shape, 2, shape.size()), shape[1], shape[0]};
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
  builder.set_output_extents(extents);
  factor.compute_root();
  offset.compute_root();
  schedule_stream(out, {p, c, n}, extents, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef batch_norm_schedule() {
  return {.name = "batch_norm",
          .summary = "a multiply-add a channel",
          .default_config = batch_norm_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_batch_norm};
}

}  // namespace opbench
