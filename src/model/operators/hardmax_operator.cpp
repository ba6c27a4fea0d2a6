#include <cstdint>
#include <span>
#include <vector>

#include "model/operators/element_type.h"

namespace opbench {
namespace {

int64_t axis_attribute(const OperatorCall& call) {
  const int64_t axis = int_attribute(*call.node, "axis", -1);
  return axis < 0 ? axis + rank_of(call, 0) : axis;
}

/// The shape rule. Before opset 13, Hardmax lumps all dimensions from `axis` on together.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  if (call.opset < 13) return misfit(call, "is known from opset 13 on");
  OPBENCH_CHECK(axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0)));
  return same_as_first(call);
}

/// Of `length` elements that lie `stride` apart.
template <class T>
void mark_first_largest(const T* x, T* y, int64_t length, int64_t stride) {
  int64_t largest = 0;
  for (int64_t i = 1; i < length; ++i) {
    if (x[i * stride] > x[largest * stride]) largest = i;
  }
  for (int64_t i = 0; i < length; ++i) y[i * stride] = static_cast<T>(i == largest ? 1 : 0);
}

/// The reference.
Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  const Shape& shape = inputs[0].type.shape;
  if (element_count(shape) == 0) return {};
  const int64_t axis = axis_attribute(call);
  const int64_t length = shape[static_cast<size_t>(axis)];
  const int64_t outer = element_count({shape.begin(), shape.begin() + axis});
  const int64_t inner = element_count({shape.begin() + axis + 1, shape.end()});
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    for (int64_t i = 0; i < outer * inner; ++i) {
      const int64_t first = i / inner * length * inner + i % inner;
      mark_first_largest(x + first, y + first, length, inner);
    }
  });
}

/// The last axis has two spellings, -1 and rank - 1, and is the default: the text leaves it out.
Attributes normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = axis_attribute(call);
  if (axis != rank_of(call, 0) - 1) result["axis"] = axis;
  return result;
}

}  // namespace

OperatorDef hardmax_operator() {
  return {
      .name = "hardmax",
      .summary = "1 at the first largest element along an axis, 0 elsewhere",
      .onnx_types = {"Hardmax"},
      .infer = infer,
      .flops = one_per_result,
      .run = run,
      .normal_form = normal_form,
      .attributes = {{"axis", int64_t{-1}}},
  };
}

}  // namespace opbench
