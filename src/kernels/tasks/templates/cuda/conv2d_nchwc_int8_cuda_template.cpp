#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nchwc_int8_cuda_form() {
  return {.rest = {"dilation", "layout", "out_dtype"}};
}

Result<ConfigSpace> conv2d_nchwc_int8_cuda_space(const std::vector<Argument>& arguments,
                                                 const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_int8_cuda_form()));
  SpaceBuilder builder;
  builder.define_split("tile_n", conv.batch, 4);
  builder.define_split("tile_f", conv.kernel_out / 4, 4);
  builder.define_split("tile_y", conv.output(0), 4);
  builder.define_split("tile_x", conv.output(1), 4);
  define_switch(builder, "fuse_yx");
  builder.define_split("tile_rc", conv.in_channels / 4, 2);
  builder.define_split("tile_ry", conv.kernel[0], 2);
  builder.define_split("tile_rx", conv.kernel[1], 2);
  builder.define_reorder("reorder_inner", 3, {.policy = "all"});
  define_switch(builder, "AA_double_buffer");
  define_switch(builder, "WW_double_buffer");
  define_unroll_steps(builder, {0, 512, 1500});
  return std::move(builder).finish();
}

Result<double> conv2d_nchwc_int8_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_int8_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchwc_int8_cuda_template() {
  return {.name = "conv2d_NCHWc_int8.cuda",
          .space = conv2d_nchwc_int8_cuda_space,
          .flops = conv2d_nchwc_int8_cuda_flops};
}

}  // namespace opbench
