#include "model/operators/checked_types.h"

#include "base/tensors/tensor_size.h"
#include "model/operators/operand.h"

namespace opbench {

Result<std::vector<TensorType>> checked_types(const OperatorDef& definition,
                                              const OperatorCall& call) {
  OPBENCH_TRY(std::vector<TensorType> types, definition.infer(call));
  for (const TensorType& type : types) {
    if (const auto size = check_size(type); !size) return misfit(call, size.error().message);
  }
  return types;
}

Result<void> checked_run(const OperatorDef& definition, const OperatorCall& call,
                         std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
  try {
    return definition.run(call, inputs, outputs);
  } catch (const WrongElementWidth& wrong) {
    return misfit(call, wrong.what());
  }
}

}  // namespace opbench
