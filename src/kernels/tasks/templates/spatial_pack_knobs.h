#pragma once

#include <cstdint>

#include "kernels/space/space_builder.h"

namespace opbench {

/// The six knobs of spatial packing on arm_cpu (tiles in 2 parts) and mali (in 3): tile_co,
/// tile_oh, tile_ow, reorder_0 over (n, co, oh, ow, ci, kh, kw, vh, vw, vc), ann_reduce over (kh,
/// kw), ann_spatial over (vh, vw, vc).
void define_spatial_pack(SpaceBuilder& builder, int64_t channels, int64_t height, int64_t width,
                         int parts);

}  // namespace opbench
