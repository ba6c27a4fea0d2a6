#include "opbench/tasks/strategy.h"
#include "opbench/tasks/task_arguments.h"

// CUDA, and OpenCL, Vulkan, Metal and ROCm, which share its templates.

namespace opbench {
namespace {

using Implementations = std::vector<Implementation>;

bool is_byte(const TensorType& type) {
  return type.data_type == DataType::kInt8 || type.data_type == DataType::kUint8;
}

/// Winograd: square filters of 3 to 7, no stride, no dilation. In 3-D depth may have its own.
bool suits_winograd(const AnchorCall& call) {
  const Shape& filters = call.weight.shape;
  const int64_t height = filters[filters.size() - 2];
  const int64_t width = filters.back();
  return height == width && width > 2 && width < 8 && call.has_unit_steps();
}

bool runs_on_bytes(const AnchorCall& call, const Target& target) {
  return target.kind == "cuda" && is_byte(call.data) && is_byte(call.weight);
}

Implementations grouped(const AnchorCall& call, const Target& target) {
  if (call.is_depthwise()) return {{"depthwise_conv2d_nchw.cuda", convolution_arguments(call)}};
  const char* name =
      runs_on_bytes(call, target) ? "group_conv2d_NCHWc_int8.cuda" : "group_conv2d_nchw.cuda";
  return {{name, group_convolution_arguments(call)}};
}

Implementations conv2d(const AnchorCall& call, const Target& target) {
  if (call.groups > 1) return grouped(call, target);
  Implementations result;
  if (runs_on_bytes(call, target)) {
    std::vector<Argument> arguments = convolution_arguments(call);
    arguments.insert(arguments.end() - 1, Argument::of_string("NCHW"));
    result.push_back({"conv2d_NCHWc_int8.cuda", arguments});
  } else {
    result.push_back({"conv2d_nchw.cuda", convolution_arguments(call)});
  }
  if (suits_winograd(call)) {
    result.push_back({"conv2d_nchw_winograd.cuda", convolution_arguments(call)});
  }
  return result;
}

Implementations conv1d(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  return {{"conv1d_ncw.cuda", convolution_arguments(call)}};
}

Implementations conv3d(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  Implementations result{{"conv3d_ncdhw.cuda", convolution_arguments(call)}};
  if (suits_winograd(call)) {
    result.push_back({"conv3d_ncdhw_winograd.cuda", convolution_arguments(call)});
  }
  return result;
}

Implementations conv1d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  return {{"conv1d_transpose_nchw.cuda", transposed_convolution_arguments(call)}};
}

Implementations conv2d_transpose(const AnchorCall& call, const Target&) {
  if (call.groups != 1) return {};
  return {{"conv2d_transpose_nchw.cuda", transposed_convolution_arguments(call)}};
}

Implementations dense(const AnchorCall& call, const Target& target) {
  if (runs_on_bytes(call, target)) return {{"dense_int8.cuda", dense_arguments(call)}};
  constexpr int64_t kLargeBatch = 32;
  Implementations result{{"dense_small_batch.gpu", dense_arguments(call)}};
  if (call.data.shape[0] >= kLargeBatch) {
    result.push_back({"dense_large_batch.gpu", dense_arguments(call)});
  }
  return result;
}

Implementations batch_matmul(const AnchorCall& call, const Target& target) {
  const char* name = runs_on_bytes(call, target) ? "batch_matmul_int8.cuda" : "batch_matmul.cuda";
  return {{name, batch_matmul_arguments(call, Argument::null())}};
}

}  // namespace

StrategyDef gpu_strategy() {
  return {.name = "gpu",
          .operators = {{"nn.conv1d", conv1d},
                        {"nn.conv2d", conv2d},
                        {"nn.conv3d", conv3d},
                        {"nn.conv1d_transpose", conv1d_transpose},
                        {"nn.conv2d_transpose", conv2d_transpose},
                        {"nn.dense", dense},
                        {"nn.batch_matmul", batch_matmul}}};
}

}  // namespace opbench
