#include "kernels/tasks/templates/cuda/nhwc_winograd_knobs.h"

#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {

void define_winograd_transforms(SpaceBuilder& builder) {
  for (const char* name : {"thread_num_inverse", "thread_num_data", "thread_num_kernel"}) {
    builder.define_option(name, {1, 32, 64, 128, 256});
  }
  builder.define_option("offset_inverse", {0, 2, 4});
  builder.define_option("offset_data", {0, 1, 2, 4});
  builder.define_option("offset_kernel", {0, 1, 2, 4});
  builder.define_option("inverse_in_vector", {1, 2, 4});
}

void define_direct_products(SpaceBuilder& builder, const ConvolutionArguments& conv, int64_t tile) {
  const int64_t side = tile + conv.kernel[1] - 1;
  define_whole_split(builder, "tile_b", side * side);
  builder.define_split("tile_y", winograd_tiles(conv, tile), 4);
  builder.define_split("tile_x", conv.kernel_out, 4);
  builder.define_split("tile_rc", conv.in_channels, 2);
  builder.define_option("offset_bgemm", {0, 1, 2, 4, 8});
  builder.define_option("vector_bgemm", {1, 2, 4, 8});
}

void define_tensor_core_products(SpaceBuilder& builder, int64_t tiles, int64_t channels) {
  define_warp_tiles(builder, {1, 2, 4, 8});
  builder.define_option("chunk", {1, 2, 4, 8});
  builder.define_option("offset", {0, 1, 2, 4, 8});
  builder.define_option("offsetCS", {0, 1, 2, 4, 8});
  builder.define_option("vec", {1, 2, 4, 8});
  // Unlike for convolutions, wide products are tried before narrow ones.
  std::vector<int64_t> rows;
  if (tiles % 16 == 0 && channels % 16 == 0) {
    rows = {16, 8, 32};
  } else if (tiles % 32 == 0 && channels % 8 == 0) {
    rows = {32, 16, 8};
  } else if (tiles % 8 == 0 && channels % 32 == 0) {
    rows = {8, 16, 32};
  }
  define_fragment(builder, rows);
}

}  // namespace opbench
