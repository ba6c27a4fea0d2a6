#include "kernels/tasks/templates/x86/nchwc_knobs.h"

#include <vector>

namespace opbench {

void define_pixel_tile(SpaceBuilder& builder, int64_t width, const std::string& policy,
                       int64_t limit) {
  builder.define_split("tile_ow", width,
                       SplitOptions{.policy = policy, .filter = [limit](const SplitSizes& sizes) {
                                      return sizes.back() <= limit;
                                    }});
}

void define_unroll_kw(SpaceBuilder& builder) {
  builder.define_option("unroll_kw", {Argument::of_bool(true), Argument::of_bool(false)});
}

void define_rows_or_unrolling(SpaceBuilder& builder, bool has_one_tap, int64_t height) {
  if (!has_one_tap) return define_unroll_kw(builder);
  builder.define_option("tile_oh",
                        height > 1 ? std::vector<int64_t>{1, 2} : std::vector<int64_t>{1});
}

Result<ConfigSpace> conv3d_x86_space(const ConvolutionArguments& conv) {
  SpaceBuilder builder;
  builder.define_split("tile_ic", conv.in_channels, 2);
  builder.define_split("tile_oc", conv.kernel_out, 2);
  define_pixel_tile(builder, conv.undilated_output(2), "factors", 8);
  define_unroll_kw(builder);
  return std::move(builder).finish();
}

}  // namespace opbench
