#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> depthwise_conv2d_nchw_cuda_space(const std::vector<Argument>& arguments,
                                                     const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_f", conv.kernel_out * conv.kernel_in, 4);
  builder.define_split("tile_y", conv.output(0), 4);
  builder.define_split("tile_x", conv.output(1), 4);
  define_unrolling(builder, {0, 256, 1500}, target);
  return std::move(builder).finish();
}

Result<double> depthwise_conv2d_nchw_cuda_flops(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef depthwise_conv2d_nchw_cuda_template() {
  return {.name = "depthwise_conv2d_nchw.cuda",
          .space = depthwise_conv2d_nchw_cuda_space,
          .flops = depthwise_conv2d_nchw_cuda_flops};
}

}  // namespace opbench
