#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

constexpr float kSteps = 255;  ///< between the ends of uint8

/// y, its scale and its zero point.
Result<std::vector<TensorType>> infer_dynamic_quantize(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 3));
  if (call.inputs[0]->data_type != DataType::kFloat32) {
    return misfit(call, "does not compute on " + std::string(name_of(call.inputs[0]->data_type)));
  }
  std::vector<TensorType> types{
      {DataType::kUint8, shape_of(call, 0)}, {DataType::kFloat32, {}}, {DataType::kUint8, {}}};
  types.resize(std::max<size_t>(call.node->outputs.size(), 1));
  return types;
}

/// Both extremes, then a quotient and a sum for each element.
double dynamic_quantize_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

/// The range is widened to contain 0, which so has an exact value: the zero point. Where every
/// element is 0 the scale is 1, as ONNX Runtime has it; ONNX leaves it open.
Result<void> run_dynamic_quantize(const OperatorCall&, std::span<const TensorView> inputs,
                                  std::span<const TensorView> outputs) {
  const auto x = inputs[0].as<float>();
  float low = 0;
  float high = 0;
  for (const float value : x) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const float scale = low == high ? 1.0F : (high - low) / kSteps;
  const auto zero_point = saturated<uint8_t>(static_cast<double>(-low / scale));
  if (outputs[0].data != nullptr) {
    std::ranges::transform(x, outputs[0].as<uint8_t>().begin(), [&](float value) {
      const double quotient = std::nearbyint(static_cast<double>(value / scale));
      return saturated<uint8_t>(quotient + zero_point);
    });
  }
  if (outputs.size() > 1 && outputs[1].data != nullptr) outputs[1].as<float>()[0] = scale;
  if (outputs.size() > 2 && outputs[2].data != nullptr) outputs[2].as<uint8_t>()[0] = zero_point;
  return {};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html
OperatorDef dynamic_quantize_operator() {
  return {
      .name = "dynamic_quantize",
      .summary = "Numbers as multiples of a scale that their own range decides",
      .onnx_types = {"DynamicQuantizeLinear"},
      .infer = infer_dynamic_quantize,
      .flops = dynamic_quantize_flops,
      .run = run_dynamic_quantize,
  };
}

}  // namespace opbench
