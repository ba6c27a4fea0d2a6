#include "kernels/tasks/templates/spatial_pack_knobs.h"

namespace opbench {

void define_spatial_pack(SpaceBuilder& builder, int64_t channels, int64_t height, int64_t width,
                         int parts) {
  builder.define_split("tile_co", channels, parts);
  builder.define_split("tile_oh", height, parts);
  builder.define_split("tile_ow", width, parts);
  builder.define_reorder(
      "reorder_0", 10,
      {.policy = "candidate",
       .candidates = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 9, 7, 8}}});
  builder.define_annotate("ann_reduce", 2, "try_unroll");
  builder.define_annotate("ann_spatial", 3, "try_unroll_vec");
}

}  // namespace opbench
