#include <fmt/format.h>

#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_batch_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 5, 5));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, 0, 2, 16));
  if (int_attribute(*call.node, "training_mode", 0) != 0) {
    return misfit(call, "training_mode 1 is not supported");
  }
  if (call.opset < 7 && int_attribute(*call.node, "is_test", 0) == 0) {
    return misfit(call, "is_test 0 (training) is not supported");
  }
  if (call.opset < 9 && int_attribute(*call.node, "spatial", 1) == 0 && rank_of(call, 0) > 2) {
    return misfit(call, fmt::format("spatial 0 (opset {}) is not supported", call.opset));
  }
  const Shape channels{shape_of(call, 0)[1]};
  for (size_t i = 1; i < 5; ++i) {
    if (shape_of(call, i) != channels) {
      return misfit(call, fmt::format("operand {} of shape {} does not fit {} channels", i,
                                      shape_text(shape_of(call, i)), channels[0]));
    }
  }
  return std::vector<TensorType>{*call.inputs[0]};
}

/// A multiply and an add for each result, the factors being known.
double batch_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 2.0 * static_cast<double>(outputs[0].size());
}

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias, per channel.
Result<void> run_batch_norm(const OperatorCall& call, std::span<const TensorView> inputs,
                            std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Shape& shape = inputs[0].type.shape;
  const int64_t plane = element_count(spatial_extents(shape));
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-5F);
  const float* x = inputs[0].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i) {
    const auto c = static_cast<size_t>(i % shape[1]);
    const double variance = inputs[4].as<float>()[c];
    const double factor = inputs[1].as<float>()[c] / std::sqrt(variance + epsilon);
    const double mean = inputs[3].as<float>()[c];
    const double bias = inputs[2].as<float>()[c];
    for (int64_t e = i * plane; e < (i + 1) * plane; ++e) {
      y[e] = static_cast<float>((static_cast<double>(x[e]) - mean) * factor + bias);
    }
  }
  return {};
}

}  // namespace

OperatorDef batch_norm_operator() {
  return {
      .name = "batch_norm",
      .summary = "Batch normalisation with known statistics",
      .onnx_types = {"BatchNormalization"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_batch_norm,
      .flops = batch_norm_flops,
      .run = run_in_float32<run_batch_norm>,
      .attributes = {{"epsilon", 1e-5F}},
      .domains = {{"BatchNormalization", 4, {0.5F, 1.5F}}},
  };
}

}  // namespace opbench
