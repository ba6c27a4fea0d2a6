#include "opbench/space/space_builder.h"
#include "opbench/tasks/convolution_arguments.h"
#include "opbench/tasks/gpu_knobs.h"
#include "opbench/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, {.axes = 3,
                                           .data = DataLayout::kNhwc,
                                           .kernel = KernelLayout::kHwio,
                                           .rest = conv3d_rest(arguments)}));
  SpaceBuilder builder;
  builder.define_split("tile_f", conv.kernel_out, 4);
  builder.define_split("tile_d", conv.output(0), 4);
  builder.define_split("tile_y", conv.output(1), 4);
  builder.define_split("tile_x", conv.output(2), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  // The extent of the height, also where the depth has another.
  builder.define_split("tile_rd", conv.kernel[1], 2);
  builder.define_split("tile_ry", conv.kernel[1], 2);
  builder.define_split("tile_rx", conv.kernel[2], 2);
  define_unrolling(builder, {0, 512, 1500}, target);
  return std::move(builder).finish();
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, {.axes = 3,
                                           .data = DataLayout::kNhwc,
                                           .kernel = KernelLayout::kHwio,
                                           .rest = conv3d_rest(arguments)}));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv3d_ndhwc_cuda_template() {
  return {.name = "conv3d_ndhwc.cuda", .space = space, .flops = flops};
}

}  // namespace opbench
