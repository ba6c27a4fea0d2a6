#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_transpose_nchw_cuda_form() {
  return {.kernel = KernelLayout::kIohw, .rest = {"out_dtype", "output_padding", "groups"}};
}

Result<ConfigSpace> conv2d_transpose_nchw_cuda_space(const std::vector<Argument>& arguments,
                                                     const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_transpose_nchw_cuda_form()));
  SpaceBuilder builder;
  builder.define_split("tile_n", conv.batch, 4);
  builder.define_split("tile_f", conv.kernel_out * conv.groups, 4);
  builder.define_split("tile_y", conv.transposed_output(0), 4);
  builder.define_split("tile_x", conv.transposed_output(1), 4);
  builder.define_split("tile_rc", conv.in_channels / conv.groups, 3);
  define_unrolling(builder, {64, 512, 1500}, target);
  define_switch(builder, "fuse_yx");
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_transpose_nchw_cuda_template() {
  return {.name = "conv2d_transpose_nchw.cuda", .space = conv2d_transpose_nchw_cuda_space};
}

}  // namespace opbench
