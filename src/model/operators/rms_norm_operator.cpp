#include <cmath>

#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

Result<int64_t> axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0));
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const int64_t first, axis(call));
  const Shape& shape = shape_of(call, 0);
  const Shape normed(shape.begin() + first, shape.end());
  OPBENCH_TRY(const Shape together, broadcast(call, normed, shape_of(call, 1)));
  if (together != normed) {
    return misfit(call,
                  "scale " + shape_text(shape_of(call, 1)) + " does not fit " + shape_text(shape));
  }
  return same_as_first(call);
}

/// Square, sum and two products for each element.
double flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

/// y = x / sqrt(mean of x² + epsilon) * scale over the dimensions from `axis` on: the formula of
/// ONNX RMSNormalization.
Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const int64_t first, axis(call));
  const Shape& shape = inputs[0].type.shape;
  const Shape normed(shape.begin() + first, shape.end());
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

Attributes normal_form(const OperatorCall& call) {
  Attributes result;
  const auto first = axis(call);
  if (first && *first != rank_of(call, 0) - 1) result["axis"] = *first;
  const float epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  if (epsilon != 1e-5F) result["epsilon"] = epsilon;
  return result;
}

}  // namespace

OperatorDef rms_norm_operator() {
  return {
      .name = "rms_norm",
      .summary = "Division by the root mean square over the last dimensions",
      .onnx_types = {"RMSNormalization"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"epsilon", 1e-5F}},
  };
}

}  // namespace opbench
