#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {

/// `block_row_warps` and `block_col_warps` of 1, 2, 4; `warp_row_tiles` and `warp_col_tiles` of
/// these.
void define_warp_tiles(SpaceBuilder& builder, const std::vector<int64_t>& tiles);

/// Rows of the fragments that divide a convolution's images x channels, in the order to be tried.
std::vector<int64_t> convolution_fragments(int64_t batch, int64_t channels);

/// `wmma_m`; without any fragment there is no such space.
void define_fragment(SpaceBuilder& builder, const std::vector<int64_t>& rows);

/// The space of dense_tensorcore.cuda and batch_matmul_tensorcore.cuda.
Result<ConfigSpace> matrix_tensor_core_space(const MatrixArguments& matrix);

/// The space of conv2d_nhwc_tensorcore.cuda and conv3d_ndhwc_tensorcore.cuda.
Result<ConfigSpace> nhwc_tensor_core_space(const ConvolutionArguments& conv);

}  // namespace opbench
