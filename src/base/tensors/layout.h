#pragma once

#include <cstdint>

#include "base/tensors/tensor.h"

namespace opbench {

/// How the elements of a tensor lie in memory. `block` 0: dense row-major in ONNX's order. Else the
/// channels (dimension 1) are split into blocks that become the innermost dimension, NC…c: for 4-D,
/// [N, ceil(C/block), H, W, block]; lanes past C exist, hold finite values and mean nothing.
struct Layout {
  int block = 0;
  bool is_dense() const { return block == 0; }
  bool operator==(const Layout&) const = default;
};

/// Blocks that hold so many channels; `layout` is not dense.
int64_t channel_blocks(int64_t channels, Layout layout);

/// The extents as they lie in memory, outermost first.
Shape physical_shape(const Shape& shape, Layout layout);

}  // namespace opbench
