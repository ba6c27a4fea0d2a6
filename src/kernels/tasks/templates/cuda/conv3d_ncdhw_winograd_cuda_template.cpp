#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

/// Where the kernel is a cube, its depth is transformed too.
bool transforms_depth(const ConvolutionArguments& conv) {
  return conv.kernel[0] > 2 && conv.kernel[0] < 8 && conv.kernel[0] == conv.kernel[1];
}

/// Tiles of one plane, in all images.
int64_t plane_tiles(const ConvolutionArguments& conv, int64_t tile) {
  ConvolutionArguments plane = conv;
  for (auto* values : {&plane.input, &plane.kernel, &plane.strides, &plane.padding_before,
                       &plane.padding_after, &plane.dilation}) {
    values->erase(values->begin());
  }
  return winograd_tiles(plane, tile);
}

Result<ConfigSpace> conv3d_ncdhw_winograd_cuda_space(const std::vector<Argument>& arguments,
                                                     const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 7));
  const int64_t tile = winograd_cuda_tile(conv);
  const int64_t side = tile + conv.kernel[2] - 1;
  SpaceBuilder builder;
  if (transforms_depth(conv)) {
    define_whole_split(builder, "tile_b", side * side * side);
    builder.define_split("tile_y", conv.kernel_out, 4);
    builder.define_split("tile_x", winograd_tiles(conv, tile), 4);
    builder.define_split("tile_rc", conv.in_channels, 2);
    define_unrolling(builder, {0, 128, 1500}, target);
    return std::move(builder).finish();
  }
  define_whole_split(builder, "tile_b", side * side);
  builder.define_split("tile_y", conv.output(0), 4);
  builder.define_split("tile_x", plane_tiles(conv, tile), 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  builder.define_split("tile_rz", conv.kernel[0], 2);
  define_unrolling(builder, {0, 128, 1500}, target);
  define_switch(builder, "unroll_axis");
  return std::move(builder).finish();
}

/// Without a transform of the depth TVM takes the padded input's for the output's.
Result<double> conv3d_ncdhw_winograd_cuda_flops(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments));
  if (transforms_depth(conv)) return direct_flops(conv);
  return direct_flops(conv) * static_cast<double>(conv.padded(0)) /
         static_cast<double>(conv.output(0));
}

}  // namespace

TemplateDef conv3d_ncdhw_winograd_cuda_template() {
  return {.name = "conv3d_ncdhw_winograd.cuda",
          .space = conv3d_ncdhw_winograd_cuda_space,
          .flops = conv3d_ncdhw_winograd_cuda_flops};
}

}  // namespace opbench
