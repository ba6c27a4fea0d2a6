#include <utility>

#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// x86, and every processor for which another strategy lacks an operator.

namespace opbench {
namespace {

using CpuImplementations = std::vector<Implementation>;

CpuImplementations cpu_conv2d(const AnchorCall& call, const Target&) {
  if (call.groups == 1) return {{"conv2d_NCHWc.x86", blocked_convolution_arguments(call)}};
  if (!call.is_depthwise()) {
    return {{"group_conv2d_nchw.x86", group_convolution_arguments(call)}};
  }
  if (call.weight.shape[1] != 1 || !call.is_undilated()) return {};
  return {{"depthwise_conv2d_NCHWc.x86", blocked_convolution_arguments(call)}};
}

CpuImplementations cpu_conv3d(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  return {{"conv3d_ncdhw.x86", convolution_arguments(call)}};
}

/// The plain convolution that makes the same: zeros between and around the data, filters flipped.
AnchorCall without_transposition(const AnchorCall& call) {
  AnchorCall plain = call;
  const size_t axes = call.strides.size();
  for (size_t i = 0; i < axes; ++i) {
    const int64_t reach = call.weight.shape[2 + i] - 1;
    const int64_t spread = (call.data.shape[2 + i] - 1) * call.strides[i] + 1;
    const int64_t around =
        2 * reach - call.padding[i] - call.padding[axes + i] + call.output_padding[i];
    plain.data.shape[2 + i] = spread + around;
  }
  std::swap(plain.weight.shape[0], plain.weight.shape[1]);
  plain.strides.assign(axes, 1);
  plain.padding.assign(axes, 0);
  plain.dilation.assign(axes, 1);
  return plain;
}

CpuImplementations cpu_conv2d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv2d_NCHWc.x86", blocked_convolution_arguments(without_transposition(call))}};
}

CpuImplementations conv3d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv3d_ncdhw.x86", convolution_arguments(without_transposition(call))}};
}

bool suits_libraries(const AnchorCall& call) {
  const bool is_float =
      call.data.data_type == DataType::kFloat32 || call.data.data_type == DataType::kFloat64;
  return is_float && call.weight.data_type == call.data.data_type;
}

CpuImplementations cpu_dense(const AnchorCall& call, const Target& target) {
  CpuImplementations result{{"dense_nopack.x86", dense_arguments(call)},
                            {"dense_pack.x86", dense_arguments(call)}};
  for (const std::string library : {"cblas", "mkl", "mkldnn"}) {
    if (!has_library(target, library) || !suits_libraries(call)) continue;
    result.push_back({"dense_" + library + ".x86", dense_arguments(call)});
  }
  return result;
}

CpuImplementations cpu_batch_matmul(const AnchorCall& call, const Target& target) {
  CpuImplementations result{
      {"batch_matmul.x86", batch_matmul_arguments(call, type_argument(call.result))}};
  for (const std::string library : {"cblas", "mkl"}) {
    if (!has_library(target, library)) continue;
    result.push_back(
        {"batch_matmul_" + library + ".x86", batch_matmul_arguments(call, Argument::null())});
  }
  return result;
}

}  // namespace

StrategyDef cpu_strategy() {
  return {.name = "cpu",
          .operators = {{"nn.conv2d", cpu_conv2d},
                        {"nn.conv3d", cpu_conv3d},
                        {"nn.conv2d_transpose", cpu_conv2d_transpose},
                        {"nn.conv3d_transpose", conv3d_transpose},
                        {"nn.dense", cpu_dense},
                        {"nn.batch_matmul", cpu_batch_matmul}}};
}

}  // namespace opbench
