#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_instance_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_CHECK(require_rank(call, 0, 3, 16));
  const Shape channels{shape_of(call, 0)[1]};
  if (shape_of(call, 1) != channels || shape_of(call, 2) != channels) {
    return misfit(call, "scale or bias does not fit " + shape_text(shape_of(call, 0)));
  }
  return same_as_first(call);
}

/// Sum, squared difference (3), multiply, add and difference for each element.
double instance_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 7.0 * static_cast<double>(outputs[0].size());
}

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias, statistics per image and channel.
Result<void> run_instance_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                               std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Shape& shape = inputs[0].type.shape;
  const auto plane = static_cast<size_t>(element_count(spatial_extents(shape)));
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  for (int64_t i = 0; i < shape[0] * shape[1] && plane > 0; ++i) {
    const auto x = inputs[0].as<float>().subspan(static_cast<size_t>(i) * plane, plane);
    const auto y = outputs[0].as<float>().subspan(static_cast<size_t>(i) * plane, plane);
    const auto c = static_cast<size_t>(i % shape[1]);
    double mean = 0;
    for (const float value : x) mean += value;
    mean /= static_cast<double>(plane);
    double variance = 0;
    for (const float value : x) variance += (value - mean) * (value - mean);
    variance /= static_cast<double>(plane);
    const double factor = inputs[1].as<float>()[c] / std::sqrt(variance + epsilon);
    const double bias = inputs[2].as<float>()[c];
    for (size_t e = 0; e < plane; ++e) y[e] = static_cast<float>((x[e] - mean) * factor + bias);
  }
  return {};
}

}  // namespace

OperatorDef instance_norm_operator() {
  return {
      .name = "instance_norm",
      .summary = "Normalisation of every channel of every image",
      .onnx_types = {"InstanceNormalization"},
      .infer = infer_instance_norm,
      .flops = instance_norm_flops,
      .run = run_in_float32<run_instance_norm>,
      .attributes = {{"epsilon", 1e-5F}},
  };
}

}  // namespace opbench
