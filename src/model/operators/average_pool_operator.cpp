#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/pooling.h"

namespace opbench {
namespace {

/// What the sum of a window is divided by: its elements, with `count_include_pad` those in padding
/// too; what a rounded-up window has beyond the padding never counts.
double divisor(const std::array<WindowAxis, 3>& axes, const PoolTaps& at, bool include_pad) {
  int64_t count = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto& axis = axes[i];
    const auto taps =
        include_pad ? axis.taps_within(at.output[i], -axis.pad_begin, axis.input + axis.pad_end)
                    : at.taps[i];
    count *= taps[1] - taps[0];
  }
  return static_cast<double>(count);
}

Result<void> run_average_pool(const OperatorCall& call, std::span<const TensorView> inputs,
                              std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const Window window, pool_window(call));
  const bool include_pad = int_attribute(*call.node, "count_include_pad", 0) != 0;
  const auto axes = three_axes(window);
  const int64_t plane_size = axes[0].input * axes[1].input * axes[2].input;
  const float* x = inputs[0].as<float>().data();
  float* y = outputs[0].as<float>().data();
  const Shape& shape = inputs[0].type.shape;
  for_each_output(axes, shape[0] * shape[1], [&](int64_t plane, int64_t flat, const PoolTaps& at) {
    double sum = 0;
    for_each_tap(axes, at, [&](int64_t offset) { sum += x[plane * plane_size + offset]; });
    y[flat] = sum == 0 ? 0.0F : static_cast<float>(sum / divisor(axes, at, include_pad));
  });
  return {};
}

Attributes average_pool_normal_form(const OperatorCall& call) {
  Attributes result = normal_pool(call);
  const bool has_pads = result.contains("pads");
  if (has_pads && int_attribute(*call.node, "count_include_pad", 0) != 0) {
    result["count_include_pad"] = int64_t{1};
  }
  return result;
}

int64_t average_pool_least_opset(const Node& node) {
  return node.attributes.contains("dilations") ? 19 : 1;
}

}  // namespace

OperatorDef average_pool_operator() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"ceil_mode", int64_t{0}});
  attributes.push_back({"count_include_pad", int64_t{0}});
  return {
      .name = "average_pool",
      .summary = "Mean of a sliding window",
      .onnx_types = {"AveragePool"},
      .layout = LayoutRole::kBlocked,
      .infer = infer_pool,
      .flops = pool_flops,
      .run = run_in_float32<run_average_pool>,
      .normal_form = average_pool_normal_form,
      .attributes = attributes,
      .least_opset = average_pool_least_opset,
  };
}

}  // namespace opbench
