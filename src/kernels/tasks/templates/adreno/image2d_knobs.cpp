#include "kernels/tasks/templates/adreno/image2d_knobs.h"

namespace opbench {

int64_t texture_chunks(int64_t channels) { return (channels + 3) / 4; }

double filled_texture(int64_t channels) {
  return 4 * static_cast<double>(texture_chunks(channels)) / static_cast<double>(channels);
}

int64_t texture_extent(int64_t extent) {
  if (extent % 2 != 0) extent += 1;
  if (extent % 4 != 0) extent += 2;
  return extent;
}

void define_bounded_split(SpaceBuilder& builder, const std::string& name, int64_t length,
                          int64_t low, int64_t high, int64_t least, int64_t most) {
  const auto fits = [=](const SplitSizes& sizes) {
    return sizes[1] >= low && sizes[1] <= high && sizes[2] >= least && sizes[2] <= most;
  };
  builder.define_split(name, length, SplitOptions{.num_outputs = 3, .filter = fits});
}

}  // namespace opbench
