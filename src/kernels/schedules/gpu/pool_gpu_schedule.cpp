#include <halide14/Halide.h>

#include <string>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/pool_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> pool_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !is_pool(spec) || !window_of_anchor(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// The input at a tap of the window, or what counts for nothing outside, where nothing is read.
Expr value_at_tap(PoolKind kind, const std::vector<WindowAxis>& axes, const std::vector<Var>& vars,
                  const Halide::RDom& taps, const Func& input) {
  std::vector<Expr> at(vars.begin(), vars.end());
  Expr is_inside = Halide::Internal::const_true();
  for (size_t d = 0; d < axes.size(); ++d) {
    const WindowAxis& axis = axes[d];
    const Expr place = vars[d] * narrow(axis.stride) +
                       taps[static_cast<int>(d)] * narrow(axis.dilation) - narrow(axis.pad_begin);
    const bool is_safe = is_whole(axis, 0, axis.input);
    at[d] = is_safe ? place : Halide::clamp(place, 0, narrow(axis.input) - 1);
    if (!is_safe) is_inside = is_inside && place >= 0 && place < narrow(axis.input);
  }
  const Expr value = input(at);
  const Expr neutral = Halide::cast(value.type(), neutral_of_pool(kind, value.type()));
  return Halide::select(is_inside, entering_pool(kind, value), neutral);
}

Func build_pool_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const Window window = window_of_anchor(spec).value();
  const std::vector<WindowAxis> axes(window.rbegin(), window.rend());
  const PoolKind kind = pool_kind(spec);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Shape& shape = output_type(spec.workload).shape;
  std::vector<Var> vars;
  for (size_t i = 0; i < shape.size(); ++i) vars.emplace_back("d" + std::to_string(i));
  Halide::Region ranges;
  for (const WindowAxis& axis : axes) ranges.emplace_back(0, narrow(axis.kernel));
  const Halide::RDom taps(ranges);
  Func all("all"), out("out");
  const Expr value = value_at_tap(kind, axes, vars, taps, input);
  all(vars) = Halide::cast(value.type(), neutral_of_pool(kind, value.type()));
  all(vars) = joined_in_pool(kind, all(vars), value);
  const std::vector<Expr> position(vars.begin(), vars.end());
  out(vars) = builder.epilogue(finished_pool(spec, axes, position, all(vars)), position);
  all.compute_at(out, spread_over_threads(out, vars, element_count(shape), spec.config));
  return out;
}

}  // namespace

ScheduleDef pool_gpu_schedule() {
  return {.name = "pool_gpu",
          .summary = "max, average and Lp pool, an output a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = pool_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_pool_gpu};
}

}  // namespace opbench
