#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// Mali GPUs; what is missing here falls to the strategy of GPUs.

namespace opbench {
namespace {

using MaliImplementations = std::vector<Implementation>;

MaliImplementations mali_conv2d(const AnchorCall& call, const Target&) {
  if (call.groups > 1 && !call.is_depthwise()) return {};
  if (call.groups > 1) return {{"depthwise_conv2d_nchw.mali", convolution_arguments(call)}};
  MaliImplementations result{{"conv2d_nchw_spatial_pack.mali", convolution_arguments(call)}};
  const Shape& filters = call.weight.shape;
  if (filters[2] == 3 && filters[3] == 3 && call.has_unit_steps()) {
    result.push_back({"conv2d_nchw_winograd.mali", convolution_arguments(call)});
  }
  return result;
}

MaliImplementations mali_dense(const AnchorCall& call, const Target&) {
  return {{"dense.mali", dense_arguments(call)}};
}

}  // namespace

StrategyDef mali_strategy() {
  return {.name = "mali", .operators = {{"nn.conv2d", mali_conv2d}, {"nn.dense", mali_dense}}};
}

}  // namespace opbench
