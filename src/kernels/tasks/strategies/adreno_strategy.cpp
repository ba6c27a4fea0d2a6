#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// Adreno GPUs with textures, as TVM 0.14 has them; what is missing here falls to the strategy of
// GPUs.

namespace opbench {
namespace {

constexpr int64_t kTexel = 4;  ///< channels that a texture holds together

/// Winograd first, unlike elsewhere. Fewer channels than a texel's are left to plain GPUs.
std::vector<Implementation> adreno_conv2d(const AnchorCall& call, const Target&) {
  const bool is_narrow = call.weight.shape[0] < kTexel;
  if (call.is_depthwise()) {
    const char* name = is_narrow ? "depthwise_conv2d_nchw.cuda" : "depthwise_conv2d_nchwc.image2d";
    return {{name, convolution_arguments(call)}};
  }
  if (call.groups > 1) {
    const int64_t chunk = call.groups * kTexel;
    const bool is_whole = call.data.shape[1] % chunk == 0 && call.weight.shape[0] % chunk == 0;
    if (is_whole) return {};  // a template whose space is not known here
    return {{"group_conv2d_nchw.cuda", group_convolution_arguments(call)}};
  }
  if (is_narrow) return {{"conv2d_nchw.cuda", convolution_arguments(call)}};
  std::vector<Implementation> result;
  const int64_t height = call.weight.shape[2];
  if (height == call.weight.shape[3] && height > 2 && height < 8 && call.has_unit_steps()) {
    result.push_back({"conv2d_nchw_winograd.image2d", convolution_arguments(call)});
  }
  result.push_back({"conv2d_nchwc.image2d", convolution_arguments(call)});
  return result;
}

std::vector<Implementation> adreno_conv2d_transpose(const AnchorCall& call, const Target&) {
  if (!call.is_undilated()) return {};                               // TVM refuses it
  if (call.groups > 1 || call.weight.shape[1] >= kTexel) return {};  // likewise
  return {{"conv2d_transpose_nchw.cuda", transposed_convolution_arguments(call)}};
}

}  // namespace

StrategyDef adreno_strategy() {
  return {.name = "adreno",
          .operators = {{"nn.conv2d", adreno_conv2d},
                        {"nn.conv2d_transpose", adreno_conv2d_transpose}}};
}

}  // namespace opbench
