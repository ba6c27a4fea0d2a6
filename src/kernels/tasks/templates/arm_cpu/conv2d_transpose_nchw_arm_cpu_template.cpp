#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/spatial_pack_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_transpose_nchw_arm_cpu_form() {
  return {.kernel = KernelLayout::kIohw, .rest = {"out_dtype", "output_padding"}};
}

Result<ConfigSpace> conv2d_transpose_nchw_arm_cpu_space(const std::vector<Argument>& arguments,
                                                        const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_transpose_nchw_arm_cpu_form()));
  SpaceBuilder builder;
  define_spatial_pack(builder, conv.kernel_out, conv.transposed_output(0),
                      conv.transposed_output(1), 2);
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_transpose_nchw_arm_cpu_template() {
  return {.name = "conv2d_transpose_nchw.arm_cpu", .space = conv2d_transpose_nchw_arm_cpu_space};
}

}  // namespace opbench
