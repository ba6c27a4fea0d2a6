#pragma once

#include "model/operators/operand.h"

namespace opbench {

/// The extents from the attribute `axis` on, -1 when absent: what a layer is normalised over.
/// `kInvalidInput` when the axis is outside the rank of operand 0.
Result<Shape> last_axes(const OperatorCall& call);

/// `kInvalidInput` unless operand `index` is omitted or repeats to the extents `normed`.
Result<void> require_fit(const OperatorCall& call, size_t index, const Shape& normed);

}  // namespace opbench
