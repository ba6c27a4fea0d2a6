#include <fmt/format.h>

#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

/// The type that `output_dtype` names; `otherwise` where the attribute is missing.
Result<DataType> output_type(const OperatorCall& call, DataType otherwise) {
  if (int_attribute(*call.node, "output_dtype", 0) == 0) return otherwise;
  return type_attribute(call, "output_dtype", 0);
}

Result<DataType> quantized_type(const OperatorCall& call) {
  const bool has_zero_point = has_input(call, 2);
  const DataType otherwise = has_zero_point ? call.inputs[2]->data_type : DataType::kUint8;
  OPBENCH_TRY(const DataType type, output_type(call, otherwise));
  if (has_zero_point && type != otherwise) {
    return misfit(call, fmt::format("output_dtype {} differs from the zero point's {}",
                                    name_of(type), name_of(otherwise)));
  }
  if (is_quantized(type)) return type;
  return misfit(call, fmt::format("does not quantise to {}", name_of(type)));
}

/// Shapes and types of a scaling either way, QuantizeLinear or DequantizeLinear.
Result<std::vector<TensorType>> infer_quantize(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(scale_layout(call));
  const int64_t precision = int_attribute(*call.node, "precision", 1);
  if (precision > 1) return misfit(call, fmt::format("precision {} is not supported", precision));
  if (call.node->type == "QuantizeLinear") {
    OPBENCH_TRY(const DataType type, quantized_type(call));
    return std::vector<TensorType>{{type, shape_of(call, 0)}};
  }
  const DataType from = call.inputs[0]->data_type;
  if (!is_quantized(from) && from != DataType::kInt32) {
    return misfit(call, fmt::format("does not compute on {}", name_of(from)));
  }
  OPBENCH_CHECK(require_zero_point(call, 2, 0));
  OPBENCH_TRY(const DataType type, output_type(call, call.inputs[1]->data_type));
  return std::vector<TensorType>{{type, shape_of(call, 0)}};
}

/// A product or quotient and the zero point for each result.
double quantize_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 2.0 * static_cast<double>(outputs[0].size());
}

/// y = saturate(round(x / scale) + zero point). The quotient is a float, as ONNX has it: in double,
/// other quotients would be halves.
template <class X, class Y>
void quantize(const ScaleLayout& layout, std::span<const TensorView> inputs, std::span<Y> y) {
  const auto x = inputs[0].as<X>();
  const auto scales = inputs[1].as<float>();
  const bool has_zero_point = inputs.size() > 2 && inputs[2].data != nullptr;
  for (size_t i = 0; i < y.size(); ++i) {
    const auto at = static_cast<size_t>(layout.scale_of(static_cast<int64_t>(i)));
    const float quotient = static_cast<float>(x[i]) / scales[at];
    const double zero_point = has_zero_point ? static_cast<double>(inputs[2].as<Y>()[at]) : 0.0;
    y[i] = saturated<Y>(std::nearbyint(static_cast<double>(quotient)) + zero_point);
  }
}

/// y = (x - zero point) * scale.
template <class X>
void dequantize(const ScaleLayout& layout, std::span<const TensorView> inputs, std::span<float> y) {
  const auto x = inputs[0].as<X>();
  const auto scales = inputs[1].as<float>();
  const bool has_zero_point = inputs.size() > 2 && inputs[2].data != nullptr;
  for (size_t i = 0; i < y.size(); ++i) {
    const auto at = static_cast<size_t>(layout.scale_of(static_cast<int64_t>(i)));
    const double zero_point = has_zero_point ? static_cast<double>(inputs[2].as<X>()[at]) : 0.0;
    const double difference = static_cast<double>(x[i]) - zero_point;
    y[i] = static_cast<float>(difference * static_cast<double>(scales[at]));
  }
}

Result<void> run_quantize(const OperatorCall& call, std::span<const TensorView> inputs,
                          std::span<const TensorView> outputs) {
  OPBENCH_TRY(const ScaleLayout layout, scale_layout(call));
  OPBENCH_CHECK(require_float32(call, inputs.subspan(1, 1)));
  if (call.node->type == "DequantizeLinear") {
    OPBENCH_CHECK(require_float32(call, outputs));
    return with_element(call, inputs[0].type.data_type, [&](auto zero) {
      dequantize<decltype(zero)>(layout, inputs, outputs[0].as<float>());
    });
  }
  const bool is_integer = inputs[0].type.data_type == DataType::kInt32;
  if (!is_integer) OPBENCH_CHECK(require_float32(call, inputs.first(1)));
  return with_quantized(call, outputs[0].type.data_type, [&](auto zero) {
    const auto y = outputs[0].as<decltype(zero)>();
    if (is_integer) {
      quantize<int32_t>(layout, inputs, y);
    } else {
      quantize<float>(layout, inputs, y);
    }
  });
}

/// The axis counts only where there is a scale for each of its indices or blocks, and the type only
/// where the zero point does not say it.
Attributes quantize_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto layout = scale_layout(call);
  const int64_t axis = int_attribute(*call.node, "axis", 1);
  const int64_t from_front = axis < 0 ? axis + rank_of(call, 0) : axis;
  const int64_t block = int_attribute(*call.node, "block_size", 0);
  if (layout && layout->axis_stride != 0 && from_front != 1) result["axis"] = from_front;
  if (block != 0) result["block_size"] = block;
  const bool is_quantize = call.node->type == "QuantizeLinear";
  const auto type = is_quantize ? quantized_type(call) : output_type(call, DataType::kFloat32);
  const bool is_said = is_quantize ? has_input(call, 2) || (type && *type == DataType::kUint8)
                                   : type && *type == call.inputs[1]->data_type;
  const int64_t number = int_attribute(*call.node, "output_dtype", 0);
  if (number != 0 && !is_said) result["output_dtype"] = number;
  return result;
}

int64_t quantize_least_opset(const Node& node) {
  return node.attributes.contains("block_size") || node.attributes.contains("output_dtype") ? 21
                                                                                            : 1;
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html and onnx__DequantizeLinear.html
OperatorDef quantize_operator() {
  constexpr ValueRange kScales{0.01F, 0.1F};
  return {
      .name = "quantize",
      .summary = "Numbers as multiples of a scale, rounded and saturated, and back",
      .onnx_types = {"QuantizeLinear", "DequantizeLinear"},
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_quantize,
      .flops = quantize_flops,
      .run = run_in_float32<run_quantize>,
      .normal_form = quantize_normal_form,
      .attributes = {{"axis", int64_t{1}},
                     {"block_size", int64_t{0}},
                     {"output_dtype", int64_t{0}}},
      .domains = {{"QuantizeLinear", 1, kScales}, {"DequantizeLinear", 1, kScales}},
      .least_opset = quantize_least_opset,
  };
}

}  // namespace opbench
