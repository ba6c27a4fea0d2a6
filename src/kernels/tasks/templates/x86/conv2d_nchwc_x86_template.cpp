#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"
#include "kernels/tasks/templates/x86/x86_fallback.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nchwc_x86_form() {
  return {.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
}

/// The space is that of the kernel without dilation, also where it has one.
Result<ConfigSpace> conv2d_nchwc_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_x86_form()));
  SpaceBuilder builder;
  builder.define_split("tile_ic", conv.in_channels, 2);
  builder.define_split("tile_oc", conv.kernel_out, 2);
  define_pixel_tile(builder, conv.undilated_output(1), "verbose");
  define_rows_or_unrolling(builder, conv.kernel[0] == 1 && conv.kernel[1] == 1,
                           conv.undilated_output(0));
  return std::move(builder).finish();
}

Result<double> conv2d_nchwc_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_x86_form()));
  return direct_flops(conv) + padding_flops(conv);
}

Result<std::vector<KnobValue>> conv2d_nchwc_x86_fallback(const std::vector<Argument>& arguments,
                                                         const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_x86_form()));
  return nchwc_fallback(conv, target);
}

}  // namespace

TemplateDef conv2d_nchwc_x86_template() {
  return {.name = "conv2d_NCHWc.x86",
          .space = conv2d_nchwc_x86_space,
          .flops = conv2d_nchwc_x86_flops,
          .fallback = conv2d_nchwc_x86_fallback};
}

}  // namespace opbench
