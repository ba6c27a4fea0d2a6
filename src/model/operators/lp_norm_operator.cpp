#include <fmt/format.h>

#include <cmath>

#include "model/operators/element_type.h"

namespace opbench {
namespace {

int64_t axis_attribute(const OperatorCall& call) {
  const int64_t axis = int_attribute(*call.node, "axis", -1);
  return axis < 0 ? axis + rank_of(call, 0) : axis;
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0)));
  const int64_t p = int_attribute(*call.node, "p", 2);
  if (p != 1 && p != 2) return misfit(call, fmt::format("p {} is not 1 or 2", p));
  return same_as_first(call);
}

/// A product, a sum and a quotient for each element.
double flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 3.0 * static_cast<double>(outputs[0].size());
}

/// Of `length` elements that lie `stride` apart; 0 stays 0 where the norm is 0.
template <class T>
void normalise(const T* x, T* y, int64_t length, int64_t stride, int64_t p) {
  double sum = 0;
  for (int64_t i = 0; i < length; ++i) {
    const auto value = static_cast<double>(x[i * stride]);
    sum += p == 1 ? std::abs(value) : value * value;
  }
  const double norm = p == 1 ? sum : std::sqrt(sum);
  for (int64_t i = 0; i < length; ++i) {
    y[i * stride] = static_cast<T>(norm == 0 ? 0.0 : static_cast<double>(x[i * stride]) / norm);
  }
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  const Shape& shape = inputs[0].type.shape;
  const int64_t axis = axis_attribute(call);
  const int64_t length = shape[static_cast<size_t>(axis)];
  const int64_t inner = element_count({shape.begin() + axis + 1, shape.end()});
  const int64_t outer = element_count({shape.begin(), shape.begin() + axis});
  const int64_t p = int_attribute(*call.node, "p", 2);
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    for (int64_t line = 0; line < outer * inner; ++line) {
      const int64_t first = line / inner * length * inner + line % inner;
      normalise(x + first, y + first, length, inner, p);
    }
  });
}

Attributes normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = axis_attribute(call);
  if (axis != rank_of(call, 0) - 1) result["axis"] = axis;
  if (int_attribute(*call.node, "p", 2) == 1) result["p"] = int64_t{1};
  return result;
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__LpNormalization.html
OperatorDef lp_norm_operator() {
  return {
      .name = "lp_norm",
      .summary = "Division by the sum of magnitudes, or by the length, along an axis",
      .onnx_types = {"LpNormalization"},
      .infer = infer,
      .flops = flops,
      .run = run,
      .normal_form = normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"p", int64_t{2}}},
  };
}

}  // namespace opbench
