#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

/// Scale and bias have a value for every group in opset 18, for every channel from 21 on.
Result<std::vector<TensorType>> infer_group_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_CHECK(require_rank(call, 0, 2, 16));
  const int64_t channels = shape_of(call, 0)[1];
  const int64_t groups = int_attribute(*call.node, "num_groups", 0);
  if (groups < 1 || groups > std::max<int64_t>(channels, 1) || channels % groups != 0) {
    return misfit(call, fmt::format("{} groups do not divide {} channels", groups, channels));
  }
  for (const size_t i : {1, 2}) {
    const bool fits = shape_of(call, i) == Shape{channels} || shape_of(call, i) == Shape{groups};
    if (fits && shape_of(call, i) == shape_of(call, 1)) continue;
    return misfit(call, fmt::format("scale {} and bias {} do not fit {} channels in {} groups",
                                    shape_text(shape_of(call, 1)), shape_text(shape_of(call, 2)),
                                    channels, groups));
  }
  return same_as_first(call);
}

/// Sum, squared difference (3), multiply, add and difference for each element.
double group_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 7.0 * static_cast<double>(outputs[0].size());
}

struct GroupNormStatistics {
  double mean = 0;
  double factor = 1;
};

GroupNormStatistics group_norm_statistics_of(std::span<const float> x, double epsilon) {
  double sum = 0;
  for (const float value : x) sum += static_cast<double>(value);
  const double mean = sum / static_cast<double>(x.size());
  double variance = 0;
  for (const float value : x) variance += (value - mean) * (value - mean);
  return {mean, 1 / std::sqrt(variance / static_cast<double>(x.size()) + epsilon)};
}

/// y = scale * (x - mean) / sqrt(variance + epsilon) + bias, statistics per image and group: the
/// formula of ONNX GroupNormalization.
Result<void> run_group_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                            std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Shape& shape = inputs[0].type.shape;
  if (element_count(shape) == 0) return {};
  const int64_t groups = int_attribute(*call.node, "num_groups", 0);
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const int64_t plane = element_count(spatial_extents(shape));
  const int64_t channels = shape[1] / groups;
  const auto part = static_cast<size_t>(channels * plane);
  const bool is_per_group = inputs[1].type.shape != Shape{shape[1]};
  for (int64_t i = 0; i < shape[0] * groups; ++i) {
    const auto x = inputs[0].as<float>().subspan(static_cast<size_t>(i) * part, part);
    const auto y = outputs[0].as<float>().subspan(static_cast<size_t>(i) * part, part);
    const GroupNormStatistics at = group_norm_statistics_of(x, epsilon);
    for (size_t e = 0; e < part; ++e) {
      const int64_t group = i % groups;
      const int64_t channel = group * channels + static_cast<int64_t>(e) / plane;
      const auto row = static_cast<size_t>(is_per_group ? group : channel);
      const double normed = (x[e] - at.mean) * at.factor;
      y[e] = static_cast<float>(normed * inputs[1].as<float>()[row] + inputs[2].as<float>()[row]);
    }
  }
  return {};
}

int64_t group_norm_least_opset(const Node&) { return 21; }

}  // namespace

OperatorDef group_norm_operator() {
  return {
      .name = "group_norm",
      .summary = "Normalisation of every group of channels of every image",
      .onnx_types = {"GroupNormalization"},
      .infer = infer_group_norm,
      .flops = group_norm_flops,
      .run = run_in_float32<run_group_norm>,
      .attributes = {{"epsilon", 1e-5F}, {"num_groups", int64_t{0}}},
      .least_opset = group_norm_least_opset,
  };
}

}  // namespace opbench
