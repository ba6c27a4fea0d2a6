#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm group_conv2d_nchwc_int8_cuda_form() {
  return {.rest = {"dilation", "groups", "out_dtype"}};
}

Result<ConfigSpace> group_conv2d_nchwc_int8_cuda_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, group_conv2d_nchwc_int8_cuda_form()));
  SpaceBuilder builder;
  builder.define_split("tile_n", conv.batch, 4);
  builder.define_split("tile_g", conv.groups, 2);
  builder.define_split("tile_f", conv.kernel_out / 4 / conv.groups, 4);
  builder.define_split("tile_y", conv.output(0), 4);
  builder.define_split("tile_x", conv.output(1), 4);
  define_switch(builder, "fuse_yx");
  builder.define_split("tile_rc", conv.in_channels / conv.groups / 4, 2);
  builder.define_split("tile_ry", conv.kernel[0], 2);
  builder.define_split("tile_rx", conv.kernel[1], 2);
  define_switch(builder, "AA_double_buffer");
  define_switch(builder, "WW_double_buffer");
  define_unroll_steps(builder, {0, 512, 1500});
  return std::move(builder).finish();
}

Result<double> group_conv2d_nchwc_int8_cuda_flops(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, group_conv2d_nchwc_int8_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef group_conv2d_nchwc_int8_cuda_template() {
  return {.name = "group_conv2d_NCHWc_int8.cuda",
          .space = group_conv2d_nchwc_int8_cuda_space,
          .flops = group_conv2d_nchwc_int8_cuda_flops};
}

}  // namespace opbench
