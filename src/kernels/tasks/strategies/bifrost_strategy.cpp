#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// Bifrost GPUs; what is missing here falls to the strategy of GPUs.

namespace opbench {
namespace {

using BifrostImplementations = std::vector<Implementation>;

/// Depthwise convolutions have no template; TVM refuses grouped ones.
BifrostImplementations bifrost_conv2d(const AnchorCall& call, const Target&) {
  if (call.groups > 1) return {};
  BifrostImplementations result{{"conv2d_nchw_spatial_pack.bifrost", convolution_arguments(call)}};
  const Shape& filters = call.weight.shape;
  if (filters[2] == 3 && filters[3] == 3 && call.has_unit_steps()) {
    result.push_back({"conv2d_nchw_winograd.bifrost", convolution_arguments(call)});
  }
  return result;
}

BifrostImplementations bifrost_dense(const AnchorCall& call, const Target&) {
  return {{"dense.bifrost", dense_arguments(call)}};
}

}  // namespace

StrategyDef bifrost_strategy() {
  return {.name = "bifrost",
          .operators = {{"nn.conv2d", bifrost_conv2d}, {"nn.dense", bifrost_dense}}};
}

}  // namespace opbench
