#include <halide14/Halide.h>

#include <string>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "model/operators/resize/resize_taps.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// Every position i of the axis takes the input's element i * in / out, rounded down.
bool is_repeated(const ResizeRequest& request, const ResizeAxis& axis) {
  for (int64_t i = 0; i < axis.out; ++i) {
    const Taps taps = taps_of(request, axis, i);
    if (taps.size() != 1 || taps[0].weight != 1 || taps[0].at != i * axis.in / axis.out)
      return false;
  }
  return true;
}

std::optional<ResizeRequest> repeats_of(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Resize") && !takes_anchor(spec, "Upsample")) return std::nullopt;
  const auto request =
      resize_request(call_of(anchor_of(spec), spec.workload.graph, spec.workload.opset));
  if (!request || crops(*request) || request->axes.empty()) return std::nullopt;
  for (const ResizeAxis& axis : request->axes)
    if (!is_repeated(*request, axis)) return std::nullopt;
  return *request;
}

std::optional<Config> resize_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !repeats_of(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

Func build_resize_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const ResizeRequest request = repeats_of(spec).value();
  const size_t rank = request.axes.size();
  std::vector<Var> vars;
  std::vector<Expr> position, from;
  for (size_t d = 0; d < rank; ++d) {
    const ResizeAxis& axis = request.axes[rank - 1 - d];
    vars.emplace_back("d" + std::to_string(d));
    position.emplace_back(vars[d]);
    from.push_back(axis.in == axis.out ? Expr(vars[d])
                                       : vars[d] * narrow(axis.in) / narrow(axis.out));
  }
  // Operands are flat: dimension 0 runs on over all elements.
  std::vector<Expr> at(rank, Expr(0));
  int64_t stride = 1;
  for (size_t d = 0; d < rank; ++d) {
    at[0] = d == 0 ? from[0] : at[0] + from[d] * narrow(stride);
    stride *= request.axes[rank - 1 - d].in;
  }
  Func out("out");
  const Expr value = builder.operand(*input_index(spec.workload, 0, 0))(at);
  out(vars) = builder.epilogue(value, position);
  spread_over_threads(out, vars, element_count(anchor_result(spec).shape), spec.config);
  return out;
}

}  // namespace

ScheduleDef resize_gpu_schedule() {
  return {.name = "resize_gpu",
          .summary = "elements repeated by whole or broken factors, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = resize_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_resize_gpu};
}

}  // namespace opbench
