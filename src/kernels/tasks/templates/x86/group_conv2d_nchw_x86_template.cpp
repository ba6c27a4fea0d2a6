#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"

namespace opbench {
namespace {

ConvolutionForm group_conv2d_nchw_x86_form() {
  return {.rest = {"dilation", "groups", "out_dtype"}};
}

/// Also of blocks that do not divide a group: what comes of those is wrong.
Result<ConfigSpace> group_conv2d_nchw_x86_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, group_conv2d_nchw_x86_form()));
  SpaceBuilder builder;
  builder.define_split("tile_ic", conv.in_channels, 2);
  builder.define_split("tile_oc", conv.kernel_out, 2);
  define_pixel_tile(builder, conv.output(1), "factors");
  define_unroll_kw(builder);
  return std::move(builder).finish();
}

Result<double> group_conv2d_nchw_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, group_conv2d_nchw_x86_form()));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef group_conv2d_nchw_x86_template() {
  return {.name = "group_conv2d_nchw.x86",
          .space = group_conv2d_nchw_x86_space,
          .flops = group_conv2d_nchw_x86_flops};
}

}  // namespace opbench
