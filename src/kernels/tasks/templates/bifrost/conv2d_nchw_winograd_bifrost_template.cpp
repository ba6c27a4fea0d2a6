#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

/// Batched matrix products on tiles of 2 x 2; the same knobs for every convolution.
Result<ConfigSpace> conv2d_nchw_winograd_bifrost_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 3));
  SpaceBuilder builder;
  for (const char* name : {"data_transform_wgx", "data_transform_wgy"}) {
    builder.define_option(name, {1, 2, 4, 8, 16, 32, 64});
  }
  for (const char* name : {"work_group_x", "work_group_y"}) {
    builder.define_option(name, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64});
  }
  builder.define_option("unroll_k_factor", {1, 2, 4});
  builder.define_option("A_interleave", {1, 4, 8, 16, 32, 64});
  builder.define_option("B_interleave", {1, 4, 8, 16, 32});
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_nchw_winograd_bifrost_template() {
  return {.name = "conv2d_nchw_winograd.bifrost", .space = conv2d_nchw_winograd_bifrost_space};
}

}  // namespace opbench
