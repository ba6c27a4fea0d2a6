#include <fmt/format.h>

#include <algorithm>

#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/quantised/quantization.h"
#include "model/operators/quantised/quantized_convolution.h"

namespace opbench {
namespace {

enum Input : size_t { kX, kXScale, kXZero, kW, kWScale, kWZero, kYScale, kYZero, kBias };

constexpr QuantizedConvolution kOperands{
    .x = kX, .x_zero = kXZero, .w = kW, .w_zero = kWZero, .bias = kBias};

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 8, 9));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const Shape shape, convolution_shape(as_convolution(call, kOperands)));
  OPBENCH_CHECK(check_quantized_convolution(call, kOperands));
  OPBENCH_CHECK(require_per_filter(call, kWScale, shape[1]));
  for (const Input scale : {kXScale, kYScale}) OPBENCH_CHECK(require_single(call, scale, "scale"));
  OPBENCH_CHECK(require_single(call, kYZero, "zero point"));
  OPBENCH_CHECK(require_byte_integers(call, kYZero));
  if (has_input(call, kBias) && call.inputs[kBias]->data_type != DataType::kInt32) {
    return misfit(call,
                  fmt::format("bias is {}, not int32", name_of(call.inputs[kBias]->data_type)));
  }
  return std::vector<TensorType>{{call.inputs[kYZero]->data_type, shape}};
}

/// The convolution, then a multiply and an add for each result.
double flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  return flops_of_convolution(as_convolution(call, kOperands)) +
         2.0 * static_cast<double>(outputs[0].size());
}

Attributes normal_form(const OperatorCall& call) {
  return attributes_of_convolution(as_convolution(call, kOperands));
}

/// y = saturate(round((sum + bias) * scale of x * scale of w / scale of y) + zero point of y).
template <class T>
void store(const OperatorCall& call, std::span<const TensorView> inputs,
           const std::vector<int64_t>& sums, std::span<T> y) {
  const auto filters = static_cast<size_t>(shape_of(call, kW)[0]);
  const size_t plane =
      y.size() / std::max<size_t>(filters * static_cast<size_t>(shape_of(call, kX)[0]), 1);
  const auto w_scales = inputs[kWScale].as<float>();
  const float x_scale = inputs[kXScale].as<float>()[0];
  const float y_scale = inputs[kYScale].as<float>()[0];
  const T zero_point = inputs[kYZero].as<T>()[0];
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t filter = i / plane % filters;
    const float w_scale = w_scales[w_scales.size() == 1 ? 0 : filter];
    const int64_t bias = has_input(call, kBias) ? inputs[kBias].as<int32_t>()[filter] : 0;
    y[i] = requantized<T>(sums[i] + bias, x_scale * w_scale / y_scale, zero_point);
  }
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  for (const Input scale : {kXScale, kWScale, kYScale}) {
    OPBENCH_CHECK(require_float32(call, inputs.subspan(scale, 1)));
  }
  OPBENCH_TRY(const auto sums, integer_convolution(call, inputs, kOperands));
  if (outputs[0].type.data_type == DataType::kInt8) {
    store(call, inputs, sums, outputs[0].as<int8_t>());
  } else {
    store(call, inputs, sums, outputs[0].as<uint8_t>());
  }
  return {};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__QLinearConv.html
OperatorDef qlinear_conv_operator() {
  constexpr ValueRange kScales{0.01F, 0.1F};
  return {
      .name = "qlinear_conv",
      .summary = "Convolution of quantised tensors, quantised again",
      .onnx_types = {"QLinearConv"},
      .fusion = FusionRole::kAnchor,
      .layout = LayoutRole::kBlocked,
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = convolution_attributes(),
      .domains = {{"QLinearConv", kXScale, kScales},
                  {"QLinearConv", kWScale, kScales},
                  {"QLinearConv", kYScale, kScales}},
  };
}

}  // namespace opbench
