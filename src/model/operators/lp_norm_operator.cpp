#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <vector>

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

/// |x|^p
double power_of(double x, int64_t p) { return p == 1 ? std::abs(x) : x * x; }

/// Of rows of `inner` elements, one below the other; 0 stays 0 where the norm is 0. Several sums
/// run beside each other, which is why neighbours in a single column count as rows of their own.
template <class T>
void normalise(const T* x, T* y, int64_t length, int64_t inner, int64_t p) {
  constexpr int64_t kSums = 8;
  const int64_t width = inner == 1 ? kSums : inner;
  std::vector<double> norms(static_cast<size_t>(width), 0.0);
  const int64_t whole = length * inner / width * width;
  for (int64_t first = 0; first < whole; first += width)
    for (int64_t i = 0; i < width; ++i)
      norms[static_cast<size_t>(i)] += power_of(static_cast<double>(x[first + i]), p);
  for (int64_t i = whole; i < length * inner; ++i)
    norms[0] += power_of(static_cast<double>(x[i]), p);
  if (inner == 1) norms = {std::accumulate(norms.begin(), norms.end(), 0.0)};
  for (double& norm : norms) norm = norm == 0 ? 0.0 : 1 / (p == 1 ? norm : std::sqrt(norm));
  for (int64_t row = 0; row < length; ++row)
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t at = row * inner + i;
      y[at] = static_cast<T>(static_cast<double>(x[at]) * norms[static_cast<size_t>(i)]);
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
    for (int64_t o = 0; o < outer && length * inner > 0; ++o)
      normalise(x + o * length * inner, y + o * length * inner, length, inner, p);
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
