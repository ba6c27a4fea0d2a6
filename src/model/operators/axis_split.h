#pragma once

#include <cstdint>

#include "base/tensors/tensor.h"

namespace opbench {

/// A dense tensor as [outer, length, inner] around one axis, whose lines have `length` elements
/// that lie `inner` apart.
struct AxisSplit {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;

  int64_t lines() const { return outer * inner; }
  /// Where the first element of a line lies.
  int64_t start_of(int64_t line) const { return line / inner * length * inner + line % inner; }
};

/// `axis` counts from the front.
inline AxisSplit split_at(const Shape& shape, int64_t axis) {
  return {element_count({shape.begin(), shape.begin() + axis}), shape[static_cast<size_t>(axis)],
          element_count({shape.begin() + axis + 1, shape.end()})};
}

}  // namespace opbench
