#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv1d_nwc_cuda_form() {
  return {.axes = 1, .data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv1d_nwc_cuda_space(const std::vector<Argument>& arguments,
                                          const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, conv1d_nwc_cuda_form()));
  SpaceBuilder builder;
  builder.define_split("tile_n", conv.batch, 4);
  builder.define_split("tile_x", conv.output(0), 4);
  builder.define_split("tile_f", conv.kernel_out, 4);
  builder.define_split("tile_rc", conv.in_channels, 3);
  define_unrolling(builder, {64, 512, 1500}, target);
  return std::move(builder).finish();
}

Result<double> conv1d_nwc_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, conv1d_nwc_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv1d_nwc_cuda_template() {
  return {
      .name = "conv1d_nwc.cuda", .space = conv1d_nwc_cuda_space, .flops = conv1d_nwc_cuda_flops};
}

}  // namespace opbench
