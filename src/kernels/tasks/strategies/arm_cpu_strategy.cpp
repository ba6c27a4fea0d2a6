#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// ARM processors; what is missing here falls to the strategy of x86.

namespace opbench {
namespace {

using ArmCpuImplementations = std::vector<Implementation>;

bool arm_cpu_suits_winograd(const AnchorCall& call) {
  const Shape& filters = call.weight.shape;
  return filters[2] == 3 && filters[3] == 3 && call.has_unit_steps() &&
         call.data.data_type == DataType::kFloat32;
}

ArmCpuImplementations arm_cpu_grouped(const AnchorCall& call) {
  if (!call.is_depthwise()) {
    return {{"group_conv2d_nchw.arm_cpu", group_convolution_arguments(call)}};
  }
  ArmCpuImplementations result{{"depthwise_conv2d_nchw.arm_cpu", convolution_arguments(call)}};
  if (call.weight.shape[1] == 1 && call.is_undilated()) {
    result.push_back({"depthwise_conv2d_NCHWc.x86", blocked_convolution_arguments(call)});
  }
  return result;
}

ArmCpuImplementations arm_cpu_conv2d(const AnchorCall& call, const Target&) {
  if (call.groups > 1) return arm_cpu_grouped(call);
  ArmCpuImplementations result{{"conv2d_nchw_spatial_pack.arm_cpu", convolution_arguments(call)},
                               {"conv2d_NCHWc.x86", blocked_convolution_arguments(call)}};
  if (arm_cpu_suits_winograd(call)) {
    result.push_back({"conv2d_nchw_winograd.arm_cpu", convolution_arguments(call)});
  }
  return result;
}

ArmCpuImplementations arm_cpu_conv2d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv2d_transpose_nchw.arm_cpu", transposed_convolution_arguments(call)}};
}

}  // namespace

StrategyDef arm_cpu_strategy() {
  return {.name = "arm_cpu",
          .operators = {{"nn.conv2d", arm_cpu_conv2d},
                        {"nn.conv2d_transpose", arm_cpu_conv2d_transpose}}};
}

}  // namespace opbench
