#include "base/tensors/layout.h"

#include "base/numbers/divisors.h"

namespace opbench {

int64_t channel_blocks(int64_t channels, Layout layout) { return ceil_div(channels, layout.block); }

Shape physical_shape(const Shape& shape, Layout layout) {
  if (layout.is_dense() || shape.size() < 2) return shape;
  Shape physical = shape;
  physical[1] = channel_blocks(shape[1], layout);
  physical.push_back(layout.block);
  return physical;
}

}  // namespace opbench
