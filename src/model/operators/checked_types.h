#pragma once

#include <vector>

#include "model/operators/operator.h"

namespace opbench {

/// What `definition.infer` says, with sizes that can be addressed. `kInvalidInput` as check_size
/// says, naming the operator.
Result<std::vector<TensorType>> checked_types(const OperatorDef& definition,
                                              const OperatorCall& call);

}  // namespace opbench
