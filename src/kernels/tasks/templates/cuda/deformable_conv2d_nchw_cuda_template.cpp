#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

/// data, offset, kernel, strides, padding, dilation, deformable_groups, groups, out_dtype; no knob
/// depends on the offsets.
Result<ConfigSpace> deformable_conv2d_nchw_cuda_space(const std::vector<Argument>& arguments,
                                                      const Target& target) {
  std::vector<Argument> others = arguments;
  if (others.size() > 1) others.erase(others.begin() + 1);
  OPBENCH_TRY(
      const ConvolutionArguments conv,
      read_convolution(others, {.rest = {"dilation", "deformable_groups", "groups", "out_dtype"}}));
  SpaceBuilder builder;
  builder.define_split("tile_f", conv.kernel_out, 4);
  builder.define_split("tile_y", conv.output(0), 4);
  builder.define_split("tile_x", conv.output(1), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  builder.define_split("tile_ry", conv.kernel[0], 2);
  builder.define_split("tile_rx", conv.kernel[1], 2);
  define_unrolling(builder, {0, 512, 1500}, target);
  builder.define_reorder("reorder_inner", 3, {.policy = "all"});
  return std::move(builder).finish();
}

}  // namespace

TemplateDef deformable_conv2d_nchw_cuda_template() {
  return {.name = "deformable_conv2d_nchw.cuda", .space = deformable_conv2d_nchw_cuda_space};
}

}  // namespace opbench
