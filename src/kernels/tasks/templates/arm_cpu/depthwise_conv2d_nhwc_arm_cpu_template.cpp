#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm depthwise_conv2d_nhwc_arm_cpu_form() {
  return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> depthwise_conv2d_nhwc_arm_cpu_space(const std::vector<Argument>& arguments,
                                                        const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, depthwise_conv2d_nhwc_arm_cpu_form()));
  SpaceBuilder builder;
  builder.define_split("tile_c", conv.kernel_in * conv.kernel_out, 2);
  builder.define_split("tile_h", conv.output(0), 2);
  builder.define_split("tile_w", conv.output(1), 2);
  define_switch(builder, "locate_output");
  builder.define_option("unroll_tile", {Argument::of_bool(true), Argument::of_bool(false)});
  if (conv.padding_before[0] > 0 || conv.padding_before[1] > 0) {
    builder.define_option("data_pad_strategy", {1, 2, 3});
  }
  return std::move(builder).finish();
}

Result<double> depthwise_conv2d_nhwc_arm_cpu_flops(const std::vector<Argument>& arguments,
                                                   const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, depthwise_conv2d_nhwc_arm_cpu_form()));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef depthwise_conv2d_nhwc_arm_cpu_template() {
  return {.name = "depthwise_conv2d_nhwc.arm_cpu",
          .space = depthwise_conv2d_nhwc_arm_cpu_space,
          .flops = depthwise_conv2d_nhwc_arm_cpu_flops};
}

}  // namespace opbench
