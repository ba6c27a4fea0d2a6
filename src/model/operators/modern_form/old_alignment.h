#pragma once

#include "model/operators/operand.h"

namespace opbench {

/// How many extents of 1 the second operand needs at its end, so that numpy's rule lays it where
/// opset 6 and below do. Those lay it from the attribute `axis` on (Add and the like) or along the
/// channels (the slope of PRelu). 0 where numpy's rule already does that, and from opset 7 on.
/// `kInvalidInput` naming the opset where the operand does not fit there.
Result<int64_t> extents_to_append(const OperatorCall& call);

/// For shape rules: the error of `extents_to_append`, or one where there are extents to append:
/// nobody has done so.
Result<void> require_alignment(const OperatorCall& call);

}  // namespace opbench
