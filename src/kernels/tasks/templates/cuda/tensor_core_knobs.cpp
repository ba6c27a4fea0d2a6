#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

/// Rows of the fragments that divide a product of rows x columns, in the order to be tried.
std::vector<int64_t> dense_fragments(int64_t rows, int64_t columns) {
  if (rows % 32 == 0 && columns % 8 == 0) return {32, 16, 8};
  if (rows % 16 == 0 && columns % 16 == 0) return {16, 8, 32};
  if (rows % 8 == 0 && columns % 32 == 0) return {8, 16, 32};
  return {};
}

}  // namespace

void define_warp_tiles(SpaceBuilder& builder, const std::vector<int64_t>& tiles) {
  for (const char* name : {"block_row_warps", "block_col_warps"}) {
    builder.define_option(name, {1, 2, 4});
  }
  for (const char* name : {"warp_row_tiles", "warp_col_tiles"}) {
    builder.define_option(name, tiles);
  }
}

std::vector<int64_t> convolution_fragments(int64_t batch, int64_t channels) {
  if (batch % 16 == 0 && channels % 16 == 0) return {16, 8, 32};
  if (batch % 8 == 0 && channels % 32 == 0) return {8, 16, 32};
  if (batch % 32 == 0 && channels % 8 == 0) return {32, 16, 8};
  return {};
}

void define_fragment(SpaceBuilder& builder, const std::vector<int64_t>& rows) {
  builder.define_option("wmma_m", rows);
}

Result<ConfigSpace> matrix_tensor_core_space(const MatrixArguments& matrix) {
  SpaceBuilder builder;
  define_warp_tiles(builder, {1, 2, 4});
  builder.define_option("chunk", {1, 2, 4, 8});
  builder.define_option("offset", {0, 8});
  builder.define_option("offsetCS", {0, 8});
  builder.define_option("vec", {1, 2, 4, 8});
  define_fragment(builder, dense_fragments(matrix.rows, matrix.columns));
  return std::move(builder).finish();
}

Result<ConfigSpace> nhwc_tensor_core_space(const ConvolutionArguments& conv) {
  SpaceBuilder builder;
  define_warp_tiles(builder, {1, 2, 4});
  builder.define_option("chunk", {1, 2, 4, 8});
  builder.define_option("offset", {0, 8});
  builder.define_option("vector_width", {1, 2, 4, 8});
  define_fragment(builder, convolution_fragments(conv.batch, conv.kernel_out));
  return std::move(builder).finish();
}

}  // namespace opbench
