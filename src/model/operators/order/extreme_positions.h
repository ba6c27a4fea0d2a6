#pragma once

#include <cstdint>

#include "model/operators/axes/axis_split.h"
#include "model/operators/operand.h"

namespace opbench {

/// Which element is looked for.
struct ExtremeKind {
  bool is_max = true;       ///< the largest, else the smallest
  bool takes_last = false;  ///< of equal ones the last, else the first
};

/// Where along the middle of [outer, length, inner] the largest or smallest element is, for every
/// (outer, inner). NaN is never better than what it follows. `length` must not be 0.
/// `kInvalidInput` for types that are not computed on.
Result<void> find_extremes(const OperatorCall& call, const TensorView& x, const AxisSplit& split,
                           ExtremeKind kind, int64_t* places);

}  // namespace opbench
