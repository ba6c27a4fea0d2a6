#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opbench/space/space_builder.h"

namespace opbench {

/// `block_row_warps` and `block_col_warps` of 1, 2, 4; `warp_row_tiles` and `warp_col_tiles` of
/// these.
void define_warp_tiles(SpaceBuilder& builder, const std::vector<int64_t>& tiles);

/// Rows of the fragments that divide a product of rows x columns, in the order to be tried; of a
/// convolution, whose rows are images.
std::vector<int64_t> dense_fragments(int64_t rows, int64_t columns);
std::vector<int64_t> convolution_fragments(int64_t batch, int64_t channels);

/// `wmma_m`; without any fragment there is no such space.
void define_fragment(SpaceBuilder& builder, const std::vector<int64_t>& rows);

}  // namespace opbench
