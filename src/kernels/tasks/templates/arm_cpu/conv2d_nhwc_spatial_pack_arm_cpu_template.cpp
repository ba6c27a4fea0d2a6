#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nhwc_spatial_pack_arm_cpu_form() {
  return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

/// As TVM 0.8 has it; 0.14 numbers otherwise (ann_spatial over two axes, compat of two).
Result<ConfigSpace> conv2d_nhwc_spatial_pack_arm_cpu_space(const std::vector<Argument>& arguments,
                                                           const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_spatial_pack_arm_cpu_form()));
  SpaceBuilder builder;
  builder.define_split("tile_co", conv.kernel_out, 2);
  builder.define_split("tile_oh", conv.output(0), 2);
  builder.define_split("tile_ow", conv.output(1), 2);
  builder.define_reorder("reorder_conv", 10,
                         {.policy = "candidate",
                          .candidates = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                         {0, 1, 2, 3, 7, 4, 5, 6, 8, 9},
                                         {0, 1, 2, 3, 7, 4, 5, 8, 6, 9},
                                         {0, 1, 2, 7, 3, 4, 5, 8, 6, 9}}});
  builder.define_annotate("ann_reduce", 2, "try_unroll");
  builder.define_annotate("ann_spatial", 3, "try_unroll_vec");
  builder.define_option("compat", {0, 1, 2});
  return std::move(builder).finish();
}

Result<double> conv2d_nhwc_spatial_pack_arm_cpu_flops(const std::vector<Argument>& arguments,
                                                      const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_spatial_pack_arm_cpu_form()));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv2d_nhwc_spatial_pack_arm_cpu_template() {
  return {.name = "conv2d_nhwc_spatial_pack.arm_cpu",
          .space = conv2d_nhwc_spatial_pack_arm_cpu_space,
          .flops = conv2d_nhwc_spatial_pack_arm_cpu_flops};
}

}  // namespace opbench
