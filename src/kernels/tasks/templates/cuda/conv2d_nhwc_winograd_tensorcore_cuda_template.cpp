#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/nhwc_winograd_knobs.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nhwc_winograd_tensorcore_cuda_form() {
  return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv2d_nhwc_winograd_tensorcore_cuda_space(
    const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_winograd_tensorcore_cuda_form()));
  OPBENCH_CHECK(check_winograd(conv, 3, 7));
  SpaceBuilder builder;
  define_winograd_transforms(builder);
  const int64_t tile = winograd_cuda_tile(conv);
  const int64_t tiles = winograd_tiles(conv, tile);
  if (conv.in_channels % 16 == 0 && !convolution_fragments(tiles, conv.kernel_out).empty()) {
    define_tensor_core_products(builder, tiles, conv.kernel_out);
  } else {
    define_direct_products(builder, conv, tile);
  }
  return std::move(builder).finish();
}

Result<double> conv2d_nhwc_winograd_tensorcore_cuda_flops(const std::vector<Argument>& arguments,
                                                          const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_winograd_tensorcore_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nhwc_winograd_tensorcore_cuda_template() {
  return {.name = "conv2d_nhwc_winograd_tensorcore.cuda",
          .space = conv2d_nhwc_winograd_tensorcore_cuda_space,
          .flops = conv2d_nhwc_winograd_tensorcore_cuda_flops};
}

}  // namespace opbench
