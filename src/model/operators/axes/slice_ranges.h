#pragma once

#include <cstdint>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// What a slice takes along a dimension: `count` elements from `start` in steps of `step`.
struct SliceRange {
  int64_t start = 0;
  int64_t count = 0;
  int64_t step = 1;
};

/// Those of the dimensions of the call's first input. `kInvalidInput` when starts, ends, axes and
/// steps do not go together.
Result<std::vector<SliceRange>> slice_ranges(const OperatorCall& call);

}  // namespace opbench
