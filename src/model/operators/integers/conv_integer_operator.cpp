#include <algorithm>

#include "model/operators/quantised/quantized_convolution.h"

namespace opbench {
namespace {

constexpr QuantizedConvolution kConvIntegerOperands{
    .x = 0, .x_zero = 2, .w = 1, .w_zero = 3, .bias = 4};

Result<std::vector<TensorType>> infer_conv_integer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 4));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const Shape shape, convolution_shape(as_convolution(call, kConvIntegerOperands)));
  OPBENCH_CHECK(check_quantized_convolution(call, kConvIntegerOperands));
  return std::vector<TensorType>{{DataType::kInt32, shape}};
}

double conv_integer_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return flops_of_convolution(as_convolution(call, kConvIntegerOperands));
}

Attributes conv_integer_normal_form(const OperatorCall& call) {
  return attributes_of_convolution(as_convolution(call, kConvIntegerOperands));
}

Result<void> run_conv_integer(const OperatorCall& call, std::span<const TensorView> inputs,
                              std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto sums, integer_convolution(call, inputs, kConvIntegerOperands));
  std::ranges::transform(sums, outputs[0].as<int32_t>().begin(),
                         [](int64_t sum) { return static_cast<int32_t>(sum); });
  return {};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__ConvInteger.html
OperatorDef conv_integer_operator() {
  return {
      .name = "conv_integer",
      .summary = "Convolution of 8-bit integers less their zero points, in int32",
      .onnx_types = {"ConvInteger"},
      .fusion = FusionRole::kAnchor,
      .layout = LayoutRole::kBlocked,
      .infer = infer_conv_integer,
      .flops = conv_integer_flops,
      .run = run_conv_integer,
      .normal_form = conv_integer_normal_form,
      .attributes = convolution_attributes(),
  };
}

}  // namespace opbench
