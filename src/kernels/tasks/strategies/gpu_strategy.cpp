#include "base/numbers/number.h"
#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// CUDA, and OpenCL, Vulkan, Metal and ROCm, which share its templates.

namespace opbench {
namespace {

using GpuImplementations = std::vector<Implementation>;

bool is_byte(const TensorType& type) {
  return type.data_type == DataType::kInt8 || type.data_type == DataType::kUint8;
}

/// Winograd: square filters of 3 to 7, no stride, no dilation. In 3-D depth may have its own.
bool gpu_suits_winograd(const AnchorCall& call) {
  const Shape& filters = call.weight.shape;
  const int64_t height = filters[filters.size() - 2];
  const int64_t width = filters.back();
  return height == width && width > 2 && width < 8 && call.has_unit_steps();
}

bool runs_on_bytes(const AnchorCall& call, const Target& target) {
  return target.kind == "cuda" && is_byte(call.data) && is_byte(call.weight);
}

GpuImplementations gpu_grouped(const AnchorCall& call, const Target& target) {
  if (call.is_depthwise()) return {{"depthwise_conv2d_nchw.cuda", convolution_arguments(call)}};
  const char* name =
      runs_on_bytes(call, target) ? "group_conv2d_NCHWc_int8.cuda" : "group_conv2d_nchw.cuda";
  return {{name, group_convolution_arguments(call)}};
}

GpuImplementations gpu_conv2d(const AnchorCall& call, const Target& target) {
  if (call.groups > 1) return gpu_grouped(call, target);
  GpuImplementations result;
  if (runs_on_bytes(call, target)) {
    std::vector<Argument> arguments = convolution_arguments(call);
    arguments.insert(arguments.end() - 1, Argument::of_string("NCHW"));
    result.push_back({"conv2d_NCHWc_int8.cuda", arguments});
  } else {
    result.push_back({"conv2d_nchw.cuda", convolution_arguments(call)});
  }
  if (gpu_suits_winograd(call)) {
    result.push_back({"conv2d_nchw_winograd.cuda", convolution_arguments(call)});
  }
  return result;
}

GpuImplementations conv1d(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  return {{"conv1d_ncw.cuda", convolution_arguments(call)}};
}

GpuImplementations gpu_conv3d(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  GpuImplementations result{{"conv3d_ncdhw.cuda", convolution_arguments(call)}};
  if (gpu_suits_winograd(call)) {
    result.push_back({"conv3d_ncdhw_winograd.cuda", convolution_arguments(call)});
  }
  return result;
}

GpuImplementations conv1d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv1d_transpose_nchw.cuda", transposed_convolution_arguments(call)}};
}

GpuImplementations gpu_conv2d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1 || !call.is_undilated()) return {};
  return {{"conv2d_transpose_nchw.cuda", transposed_convolution_arguments(call)}};
}

/// Half precision or bytes in multiples of the cores' tiles, on an architecture that has them:
/// `-arch=sm_70` and later. Without one TVM asks the GPU; here none need be.
bool suits_tensor_cores(const AnchorCall& call, const Target& target) {
  constexpr int64_t kFirstArchitecture = 70;
  const auto arch = target.attributes.find("arch");
  if (target.kind != "cuda" || arch == target.attributes.end()) return false;
  const auto number = parse_integer(arch->second.substr(arch->second.find('_') + 1));
  if (number.value_or(0) < kFirstArchitecture) return false;
  if (call.data.data_type != DataType::kFloat16 && !is_byte(call.data)) return false;
  const int64_t m = call.data.shape[call.data.shape.size() - 2];
  const int64_t n = call.weight.shape[call.weight.shape.size() - 2];
  const bool fits =
      (m % 16 == 0 && n % 16 == 0) || (m % 8 == 0 && n % 32 == 0) || (m % 32 == 0 && n % 8 == 0);
  return fits && call.data.shape.back() % 16 == 0;
}

bool has_cublas(const Target& target) {
  return target.kind == "cuda" && has_library(target, "cublas");
}

GpuImplementations gpu_dense(const AnchorCall& call, const Target& target) {
  constexpr int64_t kLargeBatch = 32;
  std::vector<const char*> names = {"dense_small_batch.gpu"};
  if (call.data.shape[0] >= kLargeBatch) names.push_back("dense_large_batch.gpu");
  if (runs_on_bytes(call, target)) names = {"dense_int8.cuda"};
  if (suits_tensor_cores(call, target)) names.push_back("dense_tensorcore.cuda");
  if (has_cublas(target)) names.push_back("dense_cublas.cuda");
  GpuImplementations result;
  for (const char* name : names) result.push_back({name, dense_arguments(call)});
  return result;
}

GpuImplementations gpu_batch_matmul(const AnchorCall& call, const Target& target) {
  const std::vector<Argument> untyped = batch_matmul_arguments(call, Argument::null());
  const std::vector<Argument> typed = batch_matmul_arguments(call, type_argument(call.result));
  GpuImplementations result{{"batch_matmul.cuda", untyped}};
  if (runs_on_bytes(call, target)) result = {{"batch_matmul_int8.cuda", typed}};
  if (has_cublas(target)) result.push_back({"batch_matmul_cublas.cuda", untyped});
  if (suits_tensor_cores(call, target)) result.push_back({"batch_matmul_tensorcore.cuda", typed});
  return result;
}

}  // namespace

StrategyDef gpu_strategy() {
  return {.name = "gpu",
          .operators = {{"nn.conv1d", conv1d},
                        {"nn.conv2d", gpu_conv2d},
                        {"nn.conv3d", gpu_conv3d},
                        {"nn.conv1d_transpose", conv1d_transpose},
                        {"nn.conv2d_transpose", gpu_conv2d_transpose},
                        {"nn.dense", gpu_dense},
                        {"nn.batch_matmul", gpu_batch_matmul}}};
}

}  // namespace opbench
