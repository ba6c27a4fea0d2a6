#include <algorithm>
#include <cmath>
#include <limits>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_clip(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 3));
  for (size_t i = 1; i < 3; ++i) {
    if (has_input(call, i) && call.inputs[i]->size() != 1) {
      return misfit(call, "a bound has more than one element");
    }
  }
  return same_as_first(call);
}

/// One comparison for each bound and result.
double clip_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const bool low = has_input(call, 1) || call.node->attributes.contains("min");
  const bool high = has_input(call, 2) || call.node->attributes.contains("max");
  return static_cast<double>(outputs[0].size()) * ((low ? 1 : 0) + (high ? 1 : 0));
}

/// A bound from its input, else from the attribute of older opsets, else `otherwise`.
template <class T>
T bound(const OperatorCall& call, std::span<const TensorView> inputs, size_t index,
        const char* attribute, T otherwise) {
  if (has_input(call, index)) return inputs[index].as<T>().front();
  if (!call.node->attributes.contains(attribute)) return otherwise;
  return static_cast<T>(float_attribute(*call.node, attribute, 0.0F));
}

Result<void> run_clip(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T low = bound<T>(call, inputs, 1, "min", std::numeric_limits<T>::lowest());
    const T high = bound<T>(call, inputs, 2, "max", std::numeric_limits<T>::max());
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) y[i] = std::min(std::max(x[i], low), high);
  });
}

/// Bounds as inputs, which they have been since opset 11; those that bound nothing dropped.
Node clip_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  const char* names[] = {"min", "max"};
  constexpr float kUnbounded = std::numeric_limits<float>::max();
  for (size_t i = 0; i < 2; ++i) {
    if (!node.attributes.contains(names[i])) continue;
    const float value = float_attribute(node, names[i], 0.0F);
    node.attributes.erase(names[i]);
    if (std::abs(value) < kUnbounded) {
      set_constant_input(node, i + 1, float_scalar(value), constants);
    }
  }
  return node;
}

}  // namespace

OperatorDef clip_operator() {
  return {
      .name = "clip",
      .summary = "Elements limited to an interval",
      .onnx_types = {"Clip"},
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_clip,
      .flops = clip_flops,
      .run = run_clip,
      .modern_form = clip_modern_form,
  };
}

}  // namespace opbench
