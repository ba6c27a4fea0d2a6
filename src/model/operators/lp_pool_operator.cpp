#include <fmt/format.h>

#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/pooling.h"

namespace opbench {
namespace {

bool is_global(const OperatorCall& call) { return call.node->type == "GlobalLpPool"; }

/// The attribute p, which was a float in opset 1.
double exponent(const OperatorCall& call) {
  return static_cast<double>(
      int_attribute(*call.node, "p", std::lround(float_attribute(*call.node, "p", 2))));
}

Result<std::vector<TensorType>> infer_lp_pool(const OperatorCall& call) {
  const float given = float_attribute(*call.node, "p", 2);
  if (given != std::round(given) || exponent(call) < 1) {
    return misfit(call, fmt::format("p {} is not an integer from 1 on",
                                    given == 2 ? exponent(call) : static_cast<double>(given)));
  }
  if (!is_global(call)) return infer_pool(call);
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, 0, 3, 16));
  Shape shape = shape_of(call, 0);
  for (size_t i = 2; i < shape.size(); ++i) shape[i] = 1;
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// One for every element that enters.
double lp_pool_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  return is_global(call) ? static_cast<double>(call.inputs[0]->size()) : pool_flops(call, outputs);
}

/// One window over all of a channel, or the one that the attributes ask for.
Result<std::array<WindowAxis, 3>> window_axes(const OperatorCall& call) {
  if (is_global(call)) {
    const int64_t plane = element_count(spatial_extents(shape_of(call, 0)));
    return three_axes({{.input = plane, .kernel = plane}});
  }
  OPBENCH_TRY(const Window window, pool_window(call));
  return three_axes(window);
}

/// y = (sum of |x|^p)^(1/p); padding adds nothing.
Result<void> run_lp_pool(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const auto axes, window_axes(call));
  const double p = exponent(call);
  const int64_t plane_size = axes[0].input * axes[1].input * axes[2].input;
  const float* x = inputs[0].as<float>().data();
  float* y = outputs[0].as<float>().data();
  const Shape& shape = inputs[0].type.shape;
  for_each_output(axes, shape[0] * shape[1], [&](int64_t plane, int64_t flat, const PoolTaps& at) {
    double sum = 0;
    for_each_tap(axes, at, [&](int64_t offset) {
      sum += std::pow(std::abs(static_cast<double>(x[plane * plane_size + offset])), p);
    });
    y[flat] = static_cast<float>(std::pow(sum, 1 / p));
  });
  return {};
}

Attributes lp_pool_normal_form(const OperatorCall& call) {
  Attributes result = is_global(call) ? Attributes{} : normal_pool(call);
  if (exponent(call) != 2) result["p"] = static_cast<int64_t>(exponent(call));
  return result;
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__LpPool.html and onnx__GlobalLpPool.html
OperatorDef lp_pool_operator() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"ceil_mode", int64_t{0}});
  attributes.push_back({"p", int64_t{2}});
  return {
      .name = "lp_pool",
      .summary = "Lp norm of a sliding window or of every channel",
      .onnx_types = {"LpPool", "GlobalLpPool"},
      .infer = infer_lp_pool,
      .flops = lp_pool_flops,
      .run = run_in_float32<run_lp_pool>,
      .normal_form = lp_pool_normal_form,
      .attributes = attributes,
  };
}

}  // namespace opbench
