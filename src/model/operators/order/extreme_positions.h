#pragma once

#include <cstdint>

#include "model/operators/axes/axis_split.h"
#include "model/operators/operand.h"

namespace opbench {

/// Where along the middle of [outer, length, inner] the largest or smallest element is, for every
/// (outer, inner); of equal ones the first, or the last. NaN is never better than what it follows.
/// `length` must not be 0. `kInvalidInput` for types that are not computed on.
Result<void> find_extremes(const OperatorCall& call, const TensorView& x, const AxisSplit& split,
                           bool is_max, bool takes_last, int64_t* places);

}  // namespace opbench
