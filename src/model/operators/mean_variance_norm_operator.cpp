#include <cmath>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

constexpr double kLeastDeviation = 1e-9;  ///< ONNX adds it, so that nothing is divided by 0

const Integers& default_axes() {
  static const Integers kAxes = {0, 2, 3};
  return kAxes;
}

/// The shape of the statistics: 1 along the axes that they are over.
Result<Shape> statistics_shape(const OperatorCall& call) {
  Shape shape = shape_of(call, 0);
  for (const int64_t wanted : ints_attribute(*call.node, "axes", default_axes())) {
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    shape[static_cast<size_t>(axis)] = 1;
  }
  return shape;
}

Result<std::vector<TensorType>> infer_mean_variance_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  if (call.opset < 9) return misfit(call, "is known from opset 9 on");
  OPBENCH_CHECK(statistics_shape(call));
  return same_as_first(call);
}

/// Sum, squared difference (3), difference and quotient for each element.
double mean_variance_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 6.0 * static_cast<double>(outputs[0].size());
}

/// Calls `f(element, index of its statistic)` for every element.
template <class F>
void for_each_element(const Shape& shape, const Shape& kept, F&& f) {
  const Integers strides = broadcast_strides(kept, shape);
  for_each_row<1>(shape, {strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      f(static_cast<size_t>(first + i), static_cast<size_t>(at[0] + i * last_stride(strides)));
    }
  });
}

/// y = (x - mean) / (deviation + 1e-9).
Result<void> run_mean_variance_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                                    std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const Shape kept, statistics_shape(call));
  const Shape& shape = inputs[0].type.shape;
  const auto x = inputs[0].as<float>();
  const auto y = outputs[0].as<float>();
  if (x.empty()) return {};
  const auto statistics = static_cast<size_t>(element_count(kept));
  const double count = static_cast<double>(x.size()) / static_cast<double>(statistics);
  std::vector<double> means(statistics, 0.0);
  std::vector<double> variances(statistics, 0.0);
  for_each_element(shape, kept, [&](size_t i, size_t at) { means[at] += x[i] / count; });
  for_each_element(shape, kept, [&](size_t i, size_t at) {
    variances[at] += (x[i] - means[at]) * (x[i] - means[at]) / count;
  });
  for_each_element(shape, kept, [&](size_t i, size_t at) {
    const double deviation = std::sqrt(variances[at]) + kLeastDeviation;
    y[i] = static_cast<float>((x[i] - means[at]) / deviation);
  });
  return {};
}

/// The axes in order, unless they are the default.
Attributes mean_variance_norm_normal_form(const OperatorCall& call) {
  const auto kept = statistics_shape(call);
  if (!kept) return {};
  std::vector<bool> is_named(kept->size());
  for (const int64_t wanted : ints_attribute(*call.node, "axes", default_axes())) {
    is_named[static_cast<size_t>(wanted < 0 ? wanted + rank_of(call, 0) : wanted)] = true;
  }
  Integers axes;
  for (size_t i = 0; i < is_named.size(); ++i) {
    if (is_named[i]) axes.push_back(static_cast<int64_t>(i));
  }
  return axes == default_axes() ? Attributes{} : Attributes{{"axes", axes}};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html
OperatorDef mean_variance_norm_operator() {
  return {
      .name = "mean_variance_norm",
      .summary = "Normalisation to mean 0 and variance 1 over chosen axes",
      .onnx_types = {"MeanVarianceNormalization"},
      .infer = infer_mean_variance_norm,
      .flops = mean_variance_norm_flops,
      .run = run_in_float32<run_mean_variance_norm>,
      .normal_form = mean_variance_norm_normal_form,
      .attributes = {{"axes", default_axes()}},
  };
}

}  // namespace opbench
