#pragma once

#include <cstdint>
#include <optional>

#include "model/operators/operand.h"

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

/// `axis` counts from the front; nothing stands for the only axis of the flattened tensor.
AxisSplit split_at(const Shape& shape, std::optional<int64_t> axis);

/// The attribute `axis` counted from the front of the first input; nothing when the node has none.
/// `kInvalidInput` as `axis_of` says.
Result<std::optional<int64_t>> axis_if_given(const OperatorCall& call);

/// Copies the parts of `x`, [outer, length, inner], at these positions along the axis to `y`,
/// [outer, positions, inner]. The positions must lie within `split.length`.
void copy_parts(const TensorView& x, const AxisSplit& split, const Integers& positions,
                const TensorView& y);

}  // namespace opbench
