#pragma once

#include <span>
#include <vector>

#include "model/operators/operator.h"

namespace opbench {

/// What `definition.infer` says, with sizes that can be addressed. `kInvalidInput` as check_size
/// says, naming the operator.
Result<std::vector<TensorType>> checked_types(const OperatorDef& definition,
                                              const OperatorCall& call);

/// Runs the operator's reference. `kInvalidInput` as it says, and for WrongElementWidth.
Result<void> checked_run(const OperatorDef& definition, const OperatorCall& call,
                         std::span<const TensorView> inputs, std::span<const TensorView> outputs);

}  // namespace opbench
