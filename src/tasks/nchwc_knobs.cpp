#include "opbench/tasks/nchwc_knobs.h"

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

}  // namespace opbench
