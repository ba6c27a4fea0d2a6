#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchw_winograd_mali_space(const std::vector<Argument>& arguments,
                                                    const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 3));
  SpaceBuilder builder;
  std::vector<int64_t> columns;
  for (const int64_t width : {1, 2, 4, 8, 16}) {
    if (conv.kernel_out % width == 0) columns.push_back(width);
  }
  builder.define_option("tile_bna", columns);
  builder.define_option("tile_bnb", {1, 2, 4, 8, 16});
  builder.define_split("tile_t1", conv.in_channels, SplitOptions{.max_factor = 128});
  builder.define_split("tile_t2", conv.kernel_out, SplitOptions{.max_factor = 128});
  builder.define_split("c_unroll", conv.in_channels, SplitOptions{.max_factor = 8});
  builder.define_option("yt", {1, 2, 4, 8, 16, 32});
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_winograd_mali_flops(const std::vector<Argument>& arguments,
                                               const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_winograd_mali_template() {
  return {.name = "conv2d_nchw_winograd.mali",
          .space = conv2d_nchw_winograd_mali_space,
          .flops = conv2d_nchw_winograd_mali_flops};
}

}  // namespace opbench
