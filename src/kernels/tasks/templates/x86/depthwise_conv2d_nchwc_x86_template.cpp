#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"
#include "kernels/tasks/templates/x86/x86_fallback.h"

namespace opbench {
namespace {

ConvolutionForm depthwise_conv2d_nchwc_x86_form() {
  return {.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
}

Result<ConfigSpace> depthwise_conv2d_nchwc_x86_space(const std::vector<Argument>& arguments,
                                                     const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, depthwise_conv2d_nchwc_x86_form()));
  SpaceBuilder builder;
  builder.define_split("tile_ic", conv.in_channels, 2);
  builder.define_split("tile_oc", conv.kernel_out * conv.kernel_in, 2);
  define_pixel_tile(builder, conv.output(1), "factors");
  define_unroll_kw(builder);
  return std::move(builder).finish();
}

Result<double> depthwise_conv2d_nchwc_x86_flops(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, depthwise_conv2d_nchwc_x86_form()));
  return direct_flops(conv) + padding_flops(conv);
}

Result<std::vector<KnobValue>> depthwise_conv2d_nchwc_x86_fallback(
    const std::vector<Argument>& arguments, const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, depthwise_conv2d_nchwc_x86_form()));
  return depthwise_nchwc_fallback(conv, target);
}

}  // namespace

TemplateDef depthwise_conv2d_nchwc_x86_template() {
  return {.name = "depthwise_conv2d_NCHWc.x86",
          .space = depthwise_conv2d_nchwc_x86_space,
          .flops = depthwise_conv2d_nchwc_x86_flops,
          .fallback = depthwise_conv2d_nchwc_x86_fallback};
}

}  // namespace opbench
