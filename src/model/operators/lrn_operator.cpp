#include <algorithm>
#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_lrn(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_rank(call, 0, 3, 16));
  if (int_attribute(*call.node, "size", 0) < 1) return misfit(call, "size is missing or below 1");
  return same_as_first(call);
}

/// Channels [c - floor((size-1)/2), c + ceil((size-1)/2)], clipped, that go into channel `c`.
std::array<int64_t, 2> neighbours(int64_t c, int64_t size, int64_t channels) {
  return {std::max<int64_t>(0, c - (size - 1) / 2), std::min(channels, c + size / 2 + 1)};
}

/// A multiply-add for each neighbour, and bias, power and quotient for each result.
double lrn_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const int64_t channels = outputs[0].shape[1];
  const int64_t size = int_attribute(*call.node, "size", 1);
  int64_t sum = 0;
  for (int64_t c = 0; c < channels; ++c) {
    const auto range = neighbours(c, size, channels);
    sum += 2 * (range[1] - range[0]) + 3;
  }
  const int64_t per_channel = channels == 0 ? 0 : outputs[0].size() / channels;
  return static_cast<double>(sum) * static_cast<double>(per_channel);
}

/// y = x / (bias + alpha / size * sum of squares over the neighbours)^beta
/// (Krizhevsky et al. 2012, section 3.3, as ONNX scales it).
Result<void> run_lrn(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Shape& shape = inputs[0].type.shape;
  const int64_t plane = element_count(spatial_extents(shape));
  const int64_t size = int_attribute(*call.node, "size", 1);
  const double alpha = float_attribute(*call.node, "alpha", 1e-4F) / static_cast<double>(size);
  const double beta = float_attribute(*call.node, "beta", 0.75F);
  const double bias = float_attribute(*call.node, "bias", 1.0F);
  const float* x = inputs[0].as<float>().data();
  float* y = outputs[0].as<float>().data();
  std::vector<double> sum(static_cast<size_t>(plane));
  for (int64_t n = 0; n < shape[0]; ++n) {
    const float* image = x + n * shape[1] * plane;
    for (int64_t c = 0; c < shape[1]; ++c) {
      std::ranges::fill(sum, 0.0);
      const auto range = neighbours(c, size, shape[1]);
      for (int64_t other = range[0]; other < range[1]; ++other) {
        for (int64_t i = 0; i < plane; ++i) {
          const double value = image[other * plane + i];
          sum[i] += value * value;
        }
      }
      for (int64_t i = 0; i < plane; ++i) {
        const double value = image[c * plane + i] / std::pow(bias + alpha * sum[i], beta);
        y[(n * shape[1] + c) * plane + i] = static_cast<float>(value);
      }
    }
  }
  return {};
}

}  // namespace

OperatorDef lrn_operator() {
  return {
      .name = "lrn",
      .summary = "Local response normalisation across channels",
      .onnx_types = {"LRN"},
      .layout = LayoutRole::kBlocked,
      .infer = infer_lrn,
      .flops = lrn_flops,
      .run = run_in_float32<run_lrn>,
      .attributes = {{"alpha", 1e-4F}, {"beta", 0.75F}, {"bias", 1.0F}, {"size", int64_t{0}}},
  };
}

}  // namespace opbench
