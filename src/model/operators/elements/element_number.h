#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/operators/operand.h"

namespace opbench {

/// The element type that ONNX numbers so (TensorProto.DataType); nothing for those that are not
/// computed on.
std::optional<DataType> type_of_number(int64_t number);

/// The ONNX number of an element type; 0 for types that are not computed on.
int64_t number_of_type(DataType type);

/// The type that the attribute `name` numbers, by default number `otherwise`. `kInvalidInput` for
/// types that are not computed on.
Result<DataType> type_attribute(const OperatorCall& call, const std::string& name,
                                int64_t otherwise);

}  // namespace opbench
