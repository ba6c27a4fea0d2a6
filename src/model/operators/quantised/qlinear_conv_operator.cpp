#include <fmt/format.h>

#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/quantised/quantization.h"
#include "model/operators/quantised/quantized_convolution.h"

namespace opbench {
namespace {

enum QlinearConvInput : size_t {
  kQlinearConvX,
  kXScale,
  kXZero,
  kW,
  kWScale,
  kWZero,
  kQlinearConvYScale,
  kQlinearConvYZero,
  kQlinearConvBias
};

constexpr QuantizedConvolution kQlinearConvOperands{
    .x = kQlinearConvX, .x_zero = kXZero, .w = kW, .w_zero = kWZero, .bias = kQlinearConvBias};

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 8, 9));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const Shape shape, convolution_shape(as_convolution(call, kQlinearConvOperands)));
  OPBENCH_CHECK(check_quantized_convolution(call, kQlinearConvOperands));
  OPBENCH_CHECK(require_per_filter(call, kWScale, shape[1]));
  for (const QlinearConvInput scale : {kXScale, kQlinearConvYScale})
    OPBENCH_CHECK(require_single(call, scale, "scale"));
  OPBENCH_CHECK(require_single(call, kQlinearConvYZero, "zero point"));
  OPBENCH_CHECK(require_byte_integers(call, kQlinearConvYZero));
  if (has_input(call, kQlinearConvBias) &&
      call.inputs[kQlinearConvBias]->data_type != DataType::kInt32) {
    return misfit(call, fmt::format("bias is {}, not int32",
                                    name_of(call.inputs[kQlinearConvBias]->data_type)));
  }
  return std::vector<TensorType>{{call.inputs[kQlinearConvYZero]->data_type, shape}};
}

/// The convolution, then a multiply and an add for each result.
double qlinear_conv_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  return flops_of_convolution(as_convolution(call, kQlinearConvOperands)) +
         2.0 * static_cast<double>(outputs[0].size());
}

Attributes qlinear_conv_normal_form(const OperatorCall& call) {
  return attributes_of_convolution(as_convolution(call, kQlinearConvOperands));
}

/// y = saturate(round((sum + bias) * scale of x * scale of w / scale of y) + zero point of y).
template <class T>
void store_qlinear_conv(const OperatorCall& call, std::span<const TensorView> inputs,
                        const std::vector<int64_t>& sums, std::span<T> y) {
  const auto filters = static_cast<size_t>(shape_of(call, kW)[0]);
  const size_t plane =
      y.size() /
      std::max<size_t>(filters * static_cast<size_t>(shape_of(call, kQlinearConvX)[0]), 1);
  const auto w_scales = inputs[kWScale].as<float>();
  const float x_scale = inputs[kXScale].as<float>()[0];
  const float y_scale = inputs[kQlinearConvYScale].as<float>()[0];
  const T zero_point = inputs[kQlinearConvYZero].as<T>()[0];
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t filter = i / plane % filters;
    const float w_scale = w_scales[w_scales.size() == 1 ? 0 : filter];
    const int64_t bias =
        has_input(call, kQlinearConvBias) ? inputs[kQlinearConvBias].as<int32_t>()[filter] : 0;
    y[i] = requantized<T>(sums[i] + bias, x_scale * w_scale / y_scale, zero_point);
  }
}

Result<void> run_qlinear_conv(const OperatorCall& call, std::span<const TensorView> inputs,
                              std::span<const TensorView> outputs) {
  for (const QlinearConvInput scale : {kXScale, kWScale, kQlinearConvYScale}) {
    OPBENCH_CHECK(require_float32(call, inputs.subspan(scale, 1)));
  }
  OPBENCH_TRY(const auto sums, integer_convolution(call, inputs, kQlinearConvOperands));
  if (outputs[0].type.data_type == DataType::kInt8) {
    store_qlinear_conv(call, inputs, sums, outputs[0].as<int8_t>());
  } else {
    store_qlinear_conv(call, inputs, sums, outputs[0].as<uint8_t>());
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
      .flops = qlinear_conv_flops,
      .run = run_in_float32<run_qlinear_conv>,
      .normal_form = qlinear_conv_normal_form,
      .attributes = convolution_attributes(),
      .domains = {{"QLinearConv", kXScale, kScales},
                  {"QLinearConv", kWScale, kScales},
                  {"QLinearConv", kQlinearConvYScale, kScales}},
  };
}

}  // namespace opbench
