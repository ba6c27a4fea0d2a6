#include "model/operators/elements/element_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace opbench {
namespace {

struct TypeNumber {
  int64_t number;
  DataType type;
};

constexpr std::array kNumbers = {
    TypeNumber{1, DataType::kFloat32},   TypeNumber{2, DataType::kUint8},
    TypeNumber{3, DataType::kInt8},      TypeNumber{4, DataType::kUint16},
    TypeNumber{5, DataType::kInt16},     TypeNumber{6, DataType::kInt32},
    TypeNumber{7, DataType::kInt64},     TypeNumber{9, DataType::kBool},
    TypeNumber{10, DataType::kFloat16},  TypeNumber{11, DataType::kFloat64},
    TypeNumber{12, DataType::kUint32},   TypeNumber{13, DataType::kUint64},
    TypeNumber{16, DataType::kBFloat16},
};

}  // namespace

std::optional<DataType> type_of_number(int64_t number) {
  const auto* row = std::ranges::find(kNumbers, number, &TypeNumber::number);
  return row == kNumbers.end() ? std::nullopt : std::optional(row->type);
}

int64_t number_of_type(DataType type) {
  const auto row = std::ranges::find(kNumbers, type, &TypeNumber::type);
  return row == kNumbers.end() ? 0 : row->number;
}

Result<DataType> type_attribute(const OperatorCall& call, const std::string& name,
                                int64_t otherwise) {
  const int64_t number = int_attribute(*call.node, name, otherwise);
  if (const auto type = type_of_number(number)) return *type;
  return misfit(call, fmt::format("does not make ONNX type {}", number));
}

}  // namespace opbench
