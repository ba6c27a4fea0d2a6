#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchw_winograd_arm_cpu_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 3));
  SpaceBuilder builder;
  const auto define_tile = [&](const std::string& name, int64_t length) {
    builder.define_split(name, length, SplitOptions{.filter = [](const SplitSizes& sizes) {
                           return sizes.back() <= 16;
                         }});
  };
  define_tile("tile_p", winograd_tiles(conv, 4));
  define_tile("tile_k", conv.kernel_out);
  define_tile("tile_c", conv.in_channels);
  builder.define_annotate("ann_reduce", 1, "try_unroll");
  builder.define_annotate("ann_spatial", 2, "try_unroll_vec");
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_winograd_arm_cpu_flops(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_winograd_arm_cpu_template() {
  return {.name = "conv2d_nchw_winograd.arm_cpu",
          .space = conv2d_nchw_winograd_arm_cpu_space,
          .flops = conv2d_nchw_winograd_arm_cpu_flops};
}

}  // namespace opbench
