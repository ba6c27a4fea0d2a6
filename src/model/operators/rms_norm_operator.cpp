#include <cmath>

#include "model/operators/axes/last_axes.h"
#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_rms_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const Shape normed, last_axes(call));
  OPBENCH_CHECK(require_fit(call, 1, normed));
  return same_as_first(call);
}

/// Square, sum and two products for each element.
double rms_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

/// y = x / sqrt(mean of x² + epsilon) * scale over the dimensions from `axis` on: the formula of
/// ONNX RMSNormalization.
Result<void> run_rms_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                          std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const Shape normed, last_axes(call));
  const auto length = static_cast<size_t>(element_count(normed));
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const Integers strides = broadcast_strides(inputs[1].type.shape, normed);
  const float* scale = inputs[1].as<float>().data();
  for (size_t begin = 0; begin < inputs[0].as<float>().size(); begin += length) {
    const auto x = inputs[0].as<float>().subspan(begin, length);
    const auto y = outputs[0].as<float>().subspan(begin, length);
    double squares = 0;
    for (const float value : x) squares += static_cast<double>(value) * value;
    const double factor = 1 / std::sqrt(squares / static_cast<double>(length) + epsilon);
    for_each_row<1>(normed, {strides}, [&](int64_t from, auto at, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const auto to = static_cast<size_t>(from + i);
        y[to] = static_cast<float>(x[to] * factor * scale[at[0] + i * last_stride(strides)]);
      }
    });
  }
  return {};
}

Attributes rms_norm_normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = int_attribute(*call.node, "axis", -1);
  const int64_t first = axis < 0 ? axis + rank_of(call, 0) : axis;
  if (first != rank_of(call, 0) - 1) result["axis"] = first;
  const float epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  if (epsilon != 1e-5F) result["epsilon"] = epsilon;
  return result;
}

int64_t rms_norm_least_opset(const Node&) { return 23; }

}  // namespace

OperatorDef rms_norm_operator() {
  return {
      .name = "rms_norm",
      .summary = "Division by the root mean square over the last dimensions",
      .onnx_types = {"RMSNormalization"},
      .infer = infer_rms_norm,
      .flops = rms_norm_flops,
      .run = run_in_float32<run_rms_norm>,
      .normal_form = rms_norm_normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"epsilon", 1e-5F}},
      .least_opset = rms_norm_least_opset,
  };
}

}  // namespace opbench
