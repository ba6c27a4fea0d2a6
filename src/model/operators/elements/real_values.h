#pragma once

#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// `kInvalidInput` unless the operand has floating-point elements.
Result<void> require_real(const OperatorCall& call, size_t index);

/// For operators that test every floating-point element: bool in the shape of the only operand.
Result<std::vector<TensorType>> truths_of_reals(const OperatorCall& call);

/// All elements as doubles, whatever their type. `kInvalidInput` for types not computed on.
Result<std::vector<double>> real_values(const OperatorCall& call, const TensorView& view);

}  // namespace opbench
