#include <halide14/Halide.h>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/gpu/gpu_row.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/layer_norm_rows.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> layer_norm_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_layer_norm(spec)) return std::nullopt;
  if (!is_argument(spec, 1) || !is_argument(spec, 2)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// Two passes over a row, since one (sum and sum of squares) cancels where the mean is far from 0.
Func build_layer_norm_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const LayerNormRows of = layer_norm_rows_of(spec).value();
  const int length = narrow(of.length());
  const float per_element = 1.0f / static_cast<float>(length);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var i("i"), row("row");
  const GroupRows rows{
      .vars = {row}, .length = length, .group = group_of_row(spec.config, of.length())};
  const auto value = [&](const Expr& place) {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = place + row * length;  // dimension 0 runs on over all elements
    return Expr(input(position));
  };
  std::vector<Func> made;
  Expr mean = 0.0f;
  if (of.has_mean) mean = join_rows(RowJoin::kSum, rows, value, made)(row) * per_element;
  const Func squares = join_rows(
      RowJoin::kSum, rows,
      [&](const Expr& place) {
        const Expr difference = value(place) - mean;
        return difference * difference;
      },
      made);
  const Expr deviation = Halide::sqrt(squares(row) * per_element + of.epsilon) + of.deviation;
  const Expr channel = i / narrow(of.spatial) + row % narrow(of.groups) * narrow(of.channels);
  const auto parameter = [&](size_t operand) {
    std::vector<Expr> position(anchor_type(spec, operand).shape.size(), Expr(0));
    position[0] = of.scaling == RowScaling::kByPlace ? Expr(i) : channel;
    return operand_value(spec, builder, operand, position);
  };
  Expr result = (value(i) - mean) / deviation;
  if (of.scaling != RowScaling::kNone) result = result * parameter(1);
  if (has_operand(spec, 2)) result = result + parameter(2);
  const Shape& shape = output_type(spec.workload).shape;
  Func out("out");
  out(i, row) = builder.epilogue(result, unflatten(i + row * length, shape, 0, shape.size()));
  builder.set_output_extents({length, of.rows});
  spread_rows(out, i, rows, made);
  return out;
}

}  // namespace

ScheduleDef layer_norm_gpu_schedule() {
  return {.name = "layer_norm_gpu",
          .summary = "layer, instance, group, plain and root mean square norms, a work group a row",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = layer_norm_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_layer_norm_gpu};
}

}  // namespace opbench
