#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/adreno/image2d_knobs.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

/// TVM 0.14 refuses configs whose size[2] of tile_y and tile_x do not make 32 to 1023 threads; they
/// keep their numbers.
Result<ConfigSpace> conv2d_nchw_winograd_image2d_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 7));
  SpaceBuilder builder;
  define_unroll_steps(builder, {0, 4, 16});
  define_bounded_split(builder, "tile_y", texture_chunks(conv.kernel_out), 1, 16, 1, 64);
  const int64_t tiles = winograd_tiles(conv, winograd_cuda_tile(conv));
  int64_t low = 4;
  while (tiles % low != 0) --low;
  define_bounded_split(builder, "tile_x", tiles, low, 16, 1, 64);
  builder.define_split("tile_rc", texture_chunks(conv.in_channels), 2);
  return std::move(builder).finish();
}

/// Channels that only fill a texture count too.
Result<double> conv2d_nchw_winograd_image2d_flops(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) * filled_texture(conv.kernel_out) * filled_texture(conv.kernel_in);
}

}  // namespace

TemplateDef conv2d_nchw_winograd_image2d_template() {
  return {.name = "conv2d_nchw_winograd.image2d",
          .space = conv2d_nchw_winograd_image2d_space,
          .flops = conv2d_nchw_winograd_image2d_flops};
}

}  // namespace opbench
