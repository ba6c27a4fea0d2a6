#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/spatial_pack_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchw_spatial_pack_mali_space(const std::vector<Argument>& arguments,
                                                        const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  define_spatial_pack(builder, conv.kernel_out, conv.output(0), conv.output(1), 3);
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_spatial_pack_mali_flops(const std::vector<Argument>& arguments,
                                                   const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_spatial_pack_mali_template() {
  return {.name = "conv2d_nchw_spatial_pack.mali",
          .space = conv2d_nchw_spatial_pack_mali_space,
          .flops = conv2d_nchw_spatial_pack_mali_flops};
}

}  // namespace opbench
