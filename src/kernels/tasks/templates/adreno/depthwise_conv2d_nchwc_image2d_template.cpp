#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/adreno/image2d_knobs.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> depthwise_conv2d_nchwc_image2d_space(const std::vector<Argument>& arguments,
                                                         const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_fc", texture_chunks(conv.kernel_out), 3);
  builder.define_split("tile_y", texture_extent(conv.output(0)), 3);
  builder.define_split("tile_x", texture_extent(conv.output(1)), 3);
  builder.define_split("tile_ry", conv.kernel[0], 2);
  builder.define_split("tile_rx", conv.kernel[1], 2);
  define_unroll_steps(builder, {0, 512, 1500});
  define_switch(builder, "unroll_explicit");
  return std::move(builder).finish();
}

/// Every channel counts with all four of its texture.
Result<double> depthwise_conv2d_nchwc_image2d_flops(const std::vector<Argument>& arguments,
                                                    const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv) * filled_texture(conv.kernel_out) * 4;
}

}  // namespace

TemplateDef depthwise_conv2d_nchwc_image2d_template() {
  return {.name = "depthwise_conv2d_nchwc.image2d",
          .space = depthwise_conv2d_nchwc_image2d_space,
          .flops = depthwise_conv2d_nchwc_image2d_flops};
}

}  // namespace opbench
