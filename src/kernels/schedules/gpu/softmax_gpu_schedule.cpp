#include <halide14/Halide.h>

#include "kernels/schedules/expressions/exponential.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/gpu/gpu_row.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/softmax_extents.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> softmax_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !softmax_extents_of(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// A work group a row: its threads share the row's maximum and its sum.
Func build_softmax_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const SoftmaxExtents extents = softmax_extents_of(spec).value();
  const int length = narrow(extents.length), inner = narrow(extents.inner);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var x("x"), i("i"), row("row");
  const GroupRows rows{
      .vars = {x, row}, .length = length, .group = group_of_row(spec.config, extents.length)};
  const auto offset = [&](const Expr& at) { return x + at * inner + row * (inner * length); };
  const auto value = [&](const Expr& at) {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset(at);  // dimension 0 runs on over all elements
    return Expr(input(position));
  };
  std::vector<Func> made;
  const Func top = join_rows(RowJoin::kMaximum, rows, value, made);
  const Func sum = join_rows(
      RowJoin::kSum, rows, [&](const Expr& at) { return exp_of(value(at) - top(x, row)); }, made);
  const Expr shifted = value(i) - top(x, row);
  const bool is_log = anchor_of(spec).type == "LogSoftmax";
  const Expr result = is_log ? shifted - Halide::log(sum(x, row)) : exp_of(shifted) / sum(x, row);
  const Shape& shape = output_type(spec.workload).shape;
  Func out("out");
  out(x, i, row) = builder.epilogue(result, unflatten(offset(i), shape, 0, shape.size()));
  builder.set_output_extents({inner, length, extents.rows});
  spread_rows(out, i, rows, made);
  return out;
}

}  // namespace

ScheduleDef softmax_gpu_schedule() {
  return {.name = "softmax_gpu",
          .summary = "softmax and log-softmax along any axis, a work group a row",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = softmax_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_softmax_gpu};
}

}  // namespace opbench
