#pragma once

#include <cstdint>
#include <string>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"

namespace opbench {

/// `tile_ow` of the templates on blocked channels: at most `limit` pixels in registers.
void define_pixel_tile(SpaceBuilder& builder, int64_t width, const std::string& policy,
                       int64_t limit = 64);

/// `unroll_kw`: True, then False.
void define_unroll_kw(SpaceBuilder& builder);

/// What follows `tile_ow` in conv2d_NCHWc: rows of a tile for kernels of one tap (`tile_oh`), else
/// `unroll_kw`.
void define_rows_or_unrolling(SpaceBuilder& builder, bool has_one_tap, int64_t height);

/// The space of conv3d_ncdhw.x86 and conv3d_ndhwc.x86.
Result<ConfigSpace> conv3d_x86_space(const ConvolutionArguments& conv);

}  // namespace opbench
