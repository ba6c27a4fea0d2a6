#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nchwc_int8_x86_form() {
  return {.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
}

Result<ConfigSpace> conv2d_nchwc_int8_x86_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_int8_x86_form()));
  SpaceBuilder builder;
  builder.define_split(
      "tile_ic", conv.in_channels,
      SplitOptions{.filter = [](const SplitSizes& sizes) { return sizes.back() % 4 == 0; }});
  builder.define_split(
      "tile_oc", conv.kernel_out,
      SplitOptions{.filter = [](const SplitSizes& sizes) { return sizes.back() % 16 == 0; }});
  define_pixel_tile(builder, conv.output(1), "factors");
  define_rows_or_unrolling(builder, conv.kernel[0] == 1 && conv.kernel[1] == 1, conv.output(0));
  return std::move(builder).finish();
}

Result<double> conv2d_nchwc_int8_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_int8_x86_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchwc_int8_x86_template() {
  return {.name = "conv2d_NCHWc_int8.x86",
          .space = conv2d_nchwc_int8_x86_space,
          .flops = conv2d_nchwc_int8_x86_flops};
}

}  // namespace opbench
