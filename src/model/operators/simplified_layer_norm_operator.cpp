#include <algorithm>
#include <cmath>

#include "model/operators/axes/last_axes.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

/// Y, and where the node asks for it the inverse of the root mean squares.
Result<std::vector<TensorType>> infer_simplified_layer_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_CHECK(require_outputs(call, 2));
  OPBENCH_TRY(const Shape normed, last_axes(call));
  if (element_count(shape_of(call, 1)) != element_count(normed)) {
    return misfit(call, "scale " + shape_text(shape_of(call, 1)) + " does not fit extents " +
                            shape_text(normed));
  }
  Shape outer = shape_of(call, 0);
  std::fill(outer.end() - std::ssize(normed), outer.end(), 1);
  std::vector<TensorType> types{*call.inputs[0]};
  types.resize(std::max<size_t>(call.node->outputs.size(), 1), {DataType::kFloat32, outer});
  return types;
}

/// Square, sum and two products for each element.
double simplified_layer_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

/// y = x / sqrt(mean of x² + epsilon) * scale over the dimensions from `axis` on, as ONNX
/// RMSNormalization.
Result<void> run_simplified_layer_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                                       std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const auto scale = inputs[1].as<float>();
  const auto x = inputs[0].as<float>();
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const bool has_factor = outputs.size() > 1 && outputs[1].data != nullptr;
  for (size_t begin = 0; begin < x.size(); begin += scale.size()) {
    double squares = 0;
    for (size_t i = 0; i < scale.size(); ++i) squares += double{x[begin + i]} * x[begin + i];
    const double factor = 1 / std::sqrt(squares / static_cast<double>(scale.size()) + epsilon);
    if (has_factor) outputs[1].as<float>()[begin / scale.size()] = static_cast<float>(factor);
    if (outputs[0].data == nullptr) continue;
    for (size_t i = 0; i < scale.size(); ++i) {
      outputs[0].as<float>()[begin + i] = static_cast<float>(x[begin + i] * factor * scale[i]);
    }
  }
  return {};
}

}  // namespace

OperatorDef simplified_layer_norm_operator() {
  return {
      .name = "simplified_layer_norm",
      .summary = "Division by the root mean square, as ONNX Runtime exports it",
      .onnx_types = {"SimplifiedLayerNormalization"},
      .infer = infer_simplified_layer_norm,
      .flops = simplified_layer_norm_flops,
      .run = run_in_float32<run_simplified_layer_norm>,
      .attributes = {{"axis", int64_t{-1}}, {"epsilon", 1e-5F}},
  };
}

}  // namespace opbench
