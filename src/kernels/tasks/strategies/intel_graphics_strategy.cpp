#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// Graphics of Intel's processors; what is missing here falls to the strategy of GPUs.

namespace opbench {
namespace {

/// Grouped convolutions have no template with a known space; TVM refuses dilated ones.
std::vector<Implementation> intel_graphics_conv2d(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv2d_NCHWc.intel_graphics", blocked_convolution_arguments(call)}};
}

}  // namespace

StrategyDef intel_graphics_strategy() {
  return {.name = "intel_graphics", .operators = {{"nn.conv2d", intel_graphics_conv2d}}};
}

}  // namespace opbench
