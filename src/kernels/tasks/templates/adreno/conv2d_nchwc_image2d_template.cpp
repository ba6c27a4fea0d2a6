#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/adreno/image2d_knobs.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchwc_image2d_space(const std::vector<Argument>& arguments,
                                               const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  const int64_t chunks = texture_chunks(conv.kernel_out);
  define_bounded_split(builder, "tile_fc", chunks, 1, 8, chunks % 2 == 0 ? 2 : 1, 255);
  define_bounded_split(builder, "tile_y", texture_extent(conv.output(0)), 1, 8, 1, 16);
  define_bounded_split(builder, "tile_x", texture_extent(conv.output(1)), 1, 8, 1, 16);
  builder.define_split("tile_rcc", texture_chunks(conv.in_channels), 2);
  builder.define_split("tile_ry", conv.kernel[0], 2);
  builder.define_split("tile_rx", conv.kernel[1], 2);
  define_unroll_steps(builder, {0, 512, 1500});
  define_switch(builder, "unroll_explicit");
  return std::move(builder).finish();
}

/// Channels that only fill a texture count too.
Result<double> conv2d_nchwc_image2d_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) * filled_texture(conv.kernel_out);
}

}  // namespace

TemplateDef conv2d_nchwc_image2d_template() {
  return {.name = "conv2d_nchwc.image2d",
          .space = conv2d_nchwc_image2d_space,
          .flops = conv2d_nchwc_image2d_flops};
}

}  // namespace opbench
