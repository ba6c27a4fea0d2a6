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
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_TRY(const int64_t first, axis(call));
  const Shape& shape = shape_of(call, 0);
  const Shape normed(shape.begin() + first, shape.end());
  for (size_t i = 1; i < 3; ++i) {
    if (!has_input(call, i)) continue;
    OPBENCH_TRY(const Shape together, broadcast(call, normed, shape_of(call, i)));
    if (together != normed) return misfit(call, "scale or bias does not fit " + shape_text(shape));
  }
  return same_as_first(call);
}

/// Sum, squared difference (3), multiply, add and difference for each element.
double flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 7.0 * static_cast<double>(outputs[0].size());
}

/// y = (x - mean) / sqrt(variance + epsilon), statistics over the dimensions from `axis` on.
void normalise(std::span<const float> x, std::span<float> y, double epsilon) {
  double mean = 0;
  for (const float value : x) mean += value;
  mean /= static_cast<double>(x.size());
  double variance = 0;
  for (const float value : x) variance += (value - mean) * (value - mean);
  const double factor = 1 / std::sqrt(variance / static_cast<double>(x.size()) + epsilon);
  for (size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>((x[i] - mean) * factor);
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const int64_t first, axis(call));
  const Shape& shape = inputs[0].type.shape;
  const Shape normed(shape.begin() + first, shape.end());
  const auto length = static_cast<size_t>(element_count(normed));
  if (inputs[0].type.size() == 0) return {};
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const Integers scale_strides = broadcast_strides(inputs[1].type.shape, normed);
  const bool has_bias = has_input(call, 2);
  const Integers bias_strides =
      broadcast_strides(has_bias ? inputs[2].type.shape : Shape{}, normed);
  const float zero = 0;
  const float* scale = inputs[1].as<float>().data();
  const float* bias = has_bias ? inputs[2].as<float>().data() : &zero;
  const auto y = outputs[0].as<float>();
  for (size_t begin = 0; begin < y.size(); begin += length) {
    const auto part = y.subspan(begin, length);
    normalise(inputs[0].as<float>().subspan(begin, length), part, epsilon);
    for_each_row<2>(normed, {scale_strides, bias_strides},
                    [&](int64_t from, auto at, int64_t count) {
                      for (int64_t i = 0; i < count; ++i) {
                        float& value = part[static_cast<size_t>(from + i)];
                        value = value * scale[at[0] + i * last_stride(scale_strides)] +
                                bias[at[1] + i * last_stride(bias_strides)];
                      }
                    });
  }
  return {};
}

}  // namespace

OperatorDef layer_norm_operator() {
  return {
      .name = "layer_norm",
      .summary = "Normalisation over the last dimensions",
      .onnx_types = {"LayerNormalization"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .attributes = {{"axis", int64_t{-1}}, {"epsilon", 1e-5F}},
  };
}

}  // namespace opbench
