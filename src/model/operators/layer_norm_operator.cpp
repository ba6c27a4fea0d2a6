#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/axes/last_axes.h"
#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

/// Of the outputs Mean and InvStdDev.
Result<DataType> statistic_type(const OperatorCall& call) {
  const int64_t number = int_attribute(*call.node, "stash_type", 1);
  const auto type = type_of_number(number);
  if (type && (*type == DataType::kFloat32 || *type == DataType::kBFloat16)) return *type;
  return misfit(call, fmt::format("stash_type {} is not supported", number));
}

/// Y, and where the node asks for them the statistics: Mean and InvStdDev.
Result<std::vector<TensorType>> infer_layer_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_outputs(call, 3));
  OPBENCH_TRY(const Shape normed, last_axes(call));
  for (const size_t i : {1, 2}) OPBENCH_CHECK(require_fit(call, i, normed));
  OPBENCH_TRY(const DataType statistic, statistic_type(call));
  Shape outer = shape_of(call, 0);
  std::fill(outer.end() - std::ssize(normed), outer.end(), 1);
  std::vector<TensorType> types{*call.inputs[0]};
  types.resize(std::max<size_t>(call.node->outputs.size(), 1), {statistic, outer});
  return types;
}

/// Sum, squared difference (3), multiply, add and difference for each element.
double layer_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 7.0 * static_cast<double>(outputs[0].size());
}

struct StatisticsOfLayerNorm {
  double mean = 0;
  double inverse_deviation = 0;
};

StatisticsOfLayerNorm layer_norm_statistics_of(std::span<const float> x, double epsilon) {
  double mean = 0;
  for (const float value : x) mean += value;
  mean /= static_cast<double>(x.size());
  double variance = 0;
  for (const float value : x) variance += (value - mean) * (value - mean);
  return {mean, 1 / std::sqrt(variance / static_cast<double>(x.size()) + epsilon)};
}

/// Scale and bias, read as tensors of the shape that is normalised.
struct Affine {
  const float* scale = nullptr;
  const float* bias = nullptr;  ///< null: none
  Integers scale_strides;
  Integers bias_strides;
};

Affine affine_of(const OperatorCall& call, std::span<const TensorView> inputs,
                 const Shape& normed) {
  const bool has_bias = has_input(call, 2);
  return {inputs[1].as<float>().data(), has_bias ? inputs[2].as<float>().data() : nullptr,
          broadcast_strides(inputs[1].type.shape, normed),
          broadcast_strides(has_bias ? inputs[2].type.shape : Shape{}, normed)};
}

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias.
void normalise_layer_norm(std::span<const float> x, const StatisticsOfLayerNorm& s,
                          const Affine& affine, const Shape& normed, std::span<float> y) {
  for_each_row<2>(
      normed, {affine.scale_strides, affine.bias_strides},
      [&](int64_t from, auto at, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          const auto element = static_cast<size_t>(from + i);
          const auto value = static_cast<float>((x[element] - s.mean) * s.inverse_deviation);
          const float* bias = affine.bias;
          y[element] = value * affine.scale[at[0] + i * last_stride(affine.scale_strides)] +
                       (bias ? bias[at[1] + i * last_stride(affine.bias_strides)] : 0.0F);
        }
      });
}

void store_layer_norm(std::span<const TensorView> outputs, size_t output, size_t index,
                      double value) {
  if (output >= outputs.size() || outputs[output].data == nullptr) return;
  outputs[output].as<float>()[index] = static_cast<float>(value);
}

/// Statistics are over the dimensions from `axis` on.
Result<void> run_layer_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                            std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const Shape normed, last_axes(call));
  const auto length = static_cast<size_t>(element_count(normed));
  const auto x = inputs[0].as<float>();
  if (x.empty()) return {};
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const Affine affine = affine_of(call, inputs, normed);
  for (size_t line = 0; line < x.size() / length; ++line) {
    const auto part = x.subspan(line * length, length);
    const StatisticsOfLayerNorm statistics = layer_norm_statistics_of(part, epsilon);
    store_layer_norm(outputs, 1, line, statistics.mean);
    store_layer_norm(outputs, 2, line, statistics.inverse_deviation);
    if (outputs[0].data == nullptr) continue;
    normalise_layer_norm(part, statistics, affine, normed,
                         outputs[0].as<float>().subspan(line * length, length));
  }
  return {};
}

}  // namespace

OperatorDef layer_norm_operator() {
  return {
      .name = "layer_norm",
      .summary = "Normalisation over the last dimensions",
      .onnx_types = {"LayerNormalization"},
      .infer = infer_layer_norm,
      .flops = layer_norm_flops,
      .run = run_in_float32<run_layer_norm>,
      .attributes = {{"axis", int64_t{-1}}, {"epsilon", 1e-5F}},
  };
}

}  // namespace opbench
