#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

/// The kernel comes transformed, [side, side, CI, CO] for tiles of side x side.
Result<ConvolutionArguments> read(const std::vector<Argument>& arguments) {
  OPBENCH_TRY(ConvolutionArguments conv, read_convolution(arguments));
  const int64_t taps = conv.kernel_out + 1 - winograd_cuda_tile(conv);
  conv.kernel_in = conv.kernel[0];
  conv.kernel_out = conv.kernel[1];
  conv.kernel = {taps, taps};
  OPBENCH_CHECK(check_winograd(conv, 3, 7));
  return conv;
}

Result<ConfigSpace> conv2d_nchw_winograd_without_weight_transform_cuda_space(
    const std::vector<Argument>& arguments, const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read(arguments));
  SpaceBuilder builder;
  define_winograd_cuda(builder, conv, conv.kernel[1], target);
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_winograd_without_weight_transform_cuda_flops(
    const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read(arguments));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_winograd_without_weight_transform_cuda_template() {
  return {.name = "conv2d_nchw_winograd_without_weight_transform.cuda",
          .space = conv2d_nchw_winograd_without_weight_transform_cuda_space,
          .flops = conv2d_nchw_winograd_without_weight_transform_cuda_flops};
}

}  // namespace opbench
