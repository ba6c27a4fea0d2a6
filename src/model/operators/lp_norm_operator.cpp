#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "model/operators/axes/axis_split.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {
namespace {

int64_t lp_norm_axis_attribute(const OperatorCall& call) {
  const int64_t axis = int_attribute(*call.node, "axis", -1);
  return axis < 0 ? axis + rank_of(call, 0) : axis;
}

Result<std::vector<TensorType>> infer_lp_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0)));
  const int64_t p = int_attribute(*call.node, "p", 2);
  if (p != 1 && p != 2) return misfit(call, fmt::format("p {} is not 1 or 2", p));
  return same_as_first(call);
}

/// A product, a sum and a quotient for each element.
double lp_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 3.0 * static_cast<double>(outputs[0].size());
}

/// |x|^p
template <int kP>
double power_of(double x) {
  return kP == 1 ? std::abs(x) : x * x;
}

/// What every element is multiplied with; 0 stays 0 where the norm is 0.
template <int kP>
double factor_of(double sum) {
  return sum == 0 ? 0.0 : 1 / (kP == 1 ? sum : std::sqrt(sum));
}

/// Of neighbours: several sums run beside each other.
template <int kP, class T>
void normalise_row(const T* x, T* y, int64_t length) {
  constexpr int64_t kSums = 8;
  std::array<double, kSums> sums{};
  const int64_t whole = length / kSums * kSums;
  for (int64_t first = 0; first < whole; first += kSums)
    for (int64_t i = 0; i < kSums; ++i)
      sums[static_cast<size_t>(i)] += power_of<kP>(static_cast<double>(x[first + i]));
  for (int64_t i = whole; i < length; ++i) sums[0] += power_of<kP>(static_cast<double>(x[i]));
  const double factor = factor_of<kP>(std::accumulate(sums.begin(), sums.end(), 0.0));
  for (int64_t i = 0; i < length; ++i) y[i] = static_cast<T>(static_cast<double>(x[i]) * factor);
}

/// Of rows of `inner` elements, one below the other; `sums` has room for a row.
template <int kP, class T>
void normalise_columns(const T* x, T* y, int64_t length, int64_t inner, std::vector<double>& sums) {
  std::ranges::fill(sums, 0.0);
  for (int64_t row = 0; row < length; ++row)
    for (int64_t i = 0; i < inner; ++i)
      sums[static_cast<size_t>(i)] += power_of<kP>(static_cast<double>(x[row * inner + i]));
  for (double& sum : sums) sum = factor_of<kP>(sum);
  for (int64_t row = 0; row < length; ++row)
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t at = row * inner + i;
      y[at] = static_cast<T>(static_cast<double>(x[at]) * sums[static_cast<size_t>(i)]);
    }
}

template <int kP, class T>
void normalise_lp_norm(const T* x, T* y, const AxisSplit& split) {
  std::vector<double> sums(static_cast<size_t>(split.inner));
  const int64_t part = split.length * split.inner;
  for (int64_t o = 0; o < split.outer; ++o, x += part, y += part) {
    if (split.inner == 1)
      normalise_row<kP>(x, y, split.length);
    else
      normalise_columns<kP>(x, y, split.length, split.inner, sums);
  }
}

Result<void> run_lp_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  const AxisSplit split = split_at(inputs[0].type.shape, lp_norm_axis_attribute(call));
  const bool is_sum = int_attribute(*call.node, "p", 2) == 1;
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    is_sum ? normalise_lp_norm<1>(x, y, split) : normalise_lp_norm<2>(x, y, split);
  });
}

/// A norm and a quotient. Where the norm is 0 all elements are: divided by anything they stay so.
bool lp_norm_take_apart(const OperatorCall& call, NodeParts& parts) {
  if (call.inputs[0]->data_type != DataType::kFloat32 || call.inputs[0]->size() == 0) return false;
  const bool is_sum = int_attribute(*call.node, "p", 2) == 1;
  const std::string norm = parts.reduce("norm", is_sum ? "ReduceL1" : "ReduceL2", parts.operand(0),
                                        lp_norm_axis_attribute(call));
  const std::string least = parts.scalar("least", std::numeric_limits<float>::min());
  const std::string divisor = parts.add("divisor", "Max", {norm, least});
  parts.add("quotient", "Div", {parts.operand(0), divisor}, {}, parts.result(0));
  return true;
}

Attributes lp_norm_normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = lp_norm_axis_attribute(call);
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
      .infer = infer_lp_norm,
      .flops = lp_norm_flops,
      .run = run_lp_norm,
      .normal_form = lp_norm_normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"p", int64_t{2}}},
      .take_apart = lp_norm_take_apart,
  };
}

}  // namespace opbench
