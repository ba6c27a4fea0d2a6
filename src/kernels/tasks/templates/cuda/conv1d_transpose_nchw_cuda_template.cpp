#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv1d_transpose_nchw_cuda_form() {
  return {.axes = 1, .kernel = KernelLayout::kIohw, .rest = {"out_dtype", "output_padding"}};
}

Result<ConfigSpace> conv1d_transpose_nchw_cuda_space(const std::vector<Argument>& arguments,
                                                     const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv1d_transpose_nchw_cuda_form()));
  SpaceBuilder builder;
  builder.define_split("tile_n", 1, 4);  // of images, whatever their number
  builder.define_split("tile_f", conv.kernel_out, 4);
  builder.define_split("tile_x", conv.transposed_output(0), 4);
  builder.define_split("tile_rc", conv.in_channels, 3);
  define_unrolling(builder, {64, 512, 1500}, target);
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv1d_transpose_nchw_cuda_template() {
  return {.name = "conv1d_transpose_nchw.cuda", .space = conv1d_transpose_nchw_cuda_space};
}

}  // namespace opbench
