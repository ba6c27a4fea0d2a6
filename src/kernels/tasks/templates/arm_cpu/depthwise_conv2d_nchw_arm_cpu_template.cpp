#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> depthwise_conv2d_nchw_arm_cpu_space(const std::vector<Argument>& arguments,
                                                        const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_c", conv.kernel_out * conv.kernel_in, 2);
  builder.define_split("tile_h", conv.output(0), 2);
  builder.define_split("tile_w", conv.output(1), 2);
  builder.define_annotate("ann", 3, "try_unroll_vec");
  return std::move(builder).finish();
}

Result<double> depthwise_conv2d_nchw_arm_cpu_flops(const std::vector<Argument>& arguments,
                                                   const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef depthwise_conv2d_nchw_arm_cpu_template() {
  return {.name = "depthwise_conv2d_nchw.arm_cpu",
          .space = depthwise_conv2d_nchw_arm_cpu_space,
          .flops = depthwise_conv2d_nchw_arm_cpu_flops};
}

}  // namespace opbench
