#pragma once

#include <cstdint>

#include "kernels/space/space_builder.h"

namespace opbench {

/// Channels come in textures of four.
int64_t texture_chunks(int64_t channels);

/// By how much filling the last texture makes more of the channels: 1 where four divides them.
double filled_texture(int64_t channels);

/// An output extent as Adreno's templates enlarge it: to the next even number, then to one that
/// four divides.
int64_t texture_extent(int64_t extent);

/// A split in three with size[1] of `low` to `high` and size[2] of `least` to `most`.
void define_bounded_split(SpaceBuilder& builder, const std::string& name, int64_t length,
                          int64_t low, int64_t high, int64_t least, int64_t most);

}  // namespace opbench
