#include "opbench/space/space_builder.h"
#include "opbench/tasks/convolution_arguments.h"
#include "opbench/tasks/nchwc_knobs.h"
#include "opbench/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, {.axes = 3, .rest = conv3d_rest(arguments)}));
  SpaceBuilder builder;
  builder.define_split("tile_ic", conv.in_channels, 2);
  builder.define_split("tile_oc", conv.kernel_out, 2);
  define_pixel_tile(builder, conv.undilated_output(2), "factors", 8);
  define_unroll_kw(builder);
  return std::move(builder).finish();
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, {.axes = 3, .rest = conv3d_rest(arguments)}));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv3d_ncdhw_x86_template() {
  return {.name = "conv3d_ncdhw.x86", .space = space, .flops = flops};
}

}  // namespace opbench
