#pragma once

#include <cstdint>
#include <string>

#include "model/operators/operand.h"

namespace opbench {

/// Heads of an attention layer: [batch, heads, steps, size], or flat [batch, steps, heads size].
struct HeadLayout {
  int64_t batch = 0;
  int64_t heads = 0;
  int64_t steps = 0;
  int64_t size = 0;  ///< of a head
  bool is_flat = false;

  /// Where a head's elements of one step begin.
  int64_t offset(int64_t image, int64_t head, int64_t step) const {
    if (is_flat) return ((image * steps + step) * heads + head) * size;
    return ((image * heads + head) * steps + step) * size;
  }
};

/// The layout of operand `index`, of rank 4, or 3 with as many heads as the attribute `count` says.
/// `kInvalidInput` when the rank is another or the heads do not divide the last extent.
Result<HeadLayout> head_layout(const OperatorCall& call, size_t index, const std::string& count);

}  // namespace opbench
