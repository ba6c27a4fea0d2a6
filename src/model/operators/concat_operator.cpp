#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The axis, which had the default 1 before opset 4.
int64_t concat_axis_attribute(const OperatorCall& call) {
  return int_attribute(*call.node, "axis", 1);
}

Result<std::vector<TensorType>> infer_concat(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, std::max<size_t>(1, call.inputs.size()), call.inputs.size()));
  TensorType type = *call.inputs[0];
  OPBENCH_TRY(const int64_t axis, axis_of(call, concat_axis_attribute(call), rank_of(call, 0)));
  int64_t sum = 0;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    Shape shape = shape_of(call, i);
    if (shape.size() != type.shape.size() || call.inputs[i]->data_type != type.data_type) {
      return misfit(call, fmt::format("operands {} and {} do not go together",
                                      shape_text(type.shape), shape_text(shape)));
    }
    sum += shape[static_cast<size_t>(axis)];
    shape[static_cast<size_t>(axis)] = type.shape[static_cast<size_t>(axis)];
    if (shape != type.shape) {
      return misfit(call, fmt::format("operands {} and {} differ outside axis {}",
                                      shape_text(type.shape), shape_text(shape_of(call, i)), axis));
    }
  }
  type.shape[static_cast<size_t>(axis)] = sum;
  return std::vector<TensorType>{type};
}

Result<void> run_concat(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t axis, axis_of(call, concat_axis_attribute(call), rank_of(call, 0)));
  const Shape& shape = outputs[0].type.shape;
  if (size_of(outputs[0].type.data_type) == 0) return misfit(call, "does not move these elements");
  const int64_t outer = element_count({shape.begin(), shape.begin() + axis});
  if (outer == 0) return {};
  auto* out = static_cast<std::byte*>(outputs[0].data);
  const size_t row = outputs[0].type.bytes() / static_cast<size_t>(outer);
  size_t begin = 0;
  for (const TensorView& input : inputs) {
    const size_t part = input.type.bytes() / static_cast<size_t>(outer);
    const auto* in = static_cast<const std::byte*>(input.data);
    for (size_t o = 0; o < static_cast<size_t>(outer) && part > 0; ++o) {
      std::memcpy(out + o * row + begin, in + o * part, part);
    }
    begin += part;
  }
  return {};
}

/// The axis counted from the front, always.
Attributes concat_normal_form(const OperatorCall& call) {
  const int64_t axis = concat_axis_attribute(call);
  return {{"axis", axis < 0 ? axis + rank_of(call, 0) : axis}};
}

}  // namespace

OperatorDef concat_operator() {
  return {
      .name = "concat",
      .summary = "Tensors one after the other along an axis",
      .onnx_types = {"Concat"},
      .layout = LayoutRole::kFollows,
      .infer = infer_concat,
      .flops = no_flops,
      .run = run_concat,
      .normal_form = concat_normal_form,
      .attributes = {{"axis", int64_t{1}}},
  };
}

}  // namespace opbench
