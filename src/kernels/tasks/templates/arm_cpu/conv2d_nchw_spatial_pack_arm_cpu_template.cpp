#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/spatial_pack_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchw_spatial_pack_arm_cpu_space(const std::vector<Argument>& arguments,
                                                           const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  define_spatial_pack(builder, conv.kernel_out, conv.output(0), conv.output(1), 2);
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_spatial_pack_arm_cpu_flops(const std::vector<Argument>& arguments,
                                                      const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_spatial_pack_arm_cpu_template() {
  return {.name = "conv2d_nchw_spatial_pack.arm_cpu",
          .space = conv2d_nchw_spatial_pack_arm_cpu_space,
          .flops = conv2d_nchw_spatial_pack_arm_cpu_flops};
}

}  // namespace opbench
