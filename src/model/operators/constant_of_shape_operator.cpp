#include <algorithm>
#include <cstring>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The value to repeat: the attribute, or a float zero.
Tensor constant_of_shape_value_of(const OperatorCall& call) {
  const auto it = call.node->attributes.find("value");
  const Tensor* value =
      it == call.node->attributes.end() ? nullptr : std::get_if<Tensor>(&it->second);
  return value == nullptr ? float_scalar(0.0F) : *value;
}

Result<std::vector<TensorType>> infer_constant_of_shape(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_TRY(const Shape shape, known_integers(call, 0, "shape"));
  if (std::ranges::any_of(shape, [](int64_t extent) { return extent < 0; })) {
    return misfit(call, "shape " + shape_text(shape) + " has an extent below 0");
  }
  const Tensor value = constant_of_shape_value_of(call);
  if (value.type.size() != 1) return misfit(call, "its value has not one element");
  return std::vector<TensorType>{{value.type.data_type, shape}};
}

Result<void> run_constant_of_shape(const OperatorCall& call, std::span<const TensorView>,
                                   std::span<const TensorView> outputs) {
  const Tensor value = constant_of_shape_value_of(call);
  return with_width(call, value.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    std::ranges::fill(outputs[0].as<T>(), value.as<T>()[0]);
  });
}

Tensor default_value() {
  const float zero = 0;
  return Tensor::of<float>(DataType::kFloat32, {1}, std::span(&zero, 1));
}

}  // namespace

OperatorDef constant_of_shape_operator() {
  return {
      .name = "constant_of_shape",
      .summary = "One value in every element of a shape",
      .onnx_types = {"ConstantOfShape"},
      .infer = infer_constant_of_shape,
      .flops = no_flops,
      .run = run_constant_of_shape,
      .attributes = {{"value", default_value()}},
      .parameters = {0},
  };
}

}  // namespace opbench
