#include "engines/onnxruntime/element_types.h"

#include <algorithm>
#include <array>

namespace opbench::ort {
namespace {

struct Numbered {
  int number;
  DataType type;
};

constexpr std::array kTypes = {Numbered{1, DataType::kFloat32},  Numbered{2, DataType::kUint8},
                               Numbered{3, DataType::kInt8},     Numbered{4, DataType::kUint16},
                               Numbered{5, DataType::kInt16},    Numbered{6, DataType::kInt32},
                               Numbered{7, DataType::kInt64},    Numbered{8, DataType::kString},
                               Numbered{9, DataType::kBool},     Numbered{10, DataType::kFloat16},
                               Numbered{11, DataType::kFloat64}, Numbered{12, DataType::kUint32},
                               Numbered{13, DataType::kUint64},  Numbered{16, DataType::kBFloat16}};

}  // namespace

int number_of(DataType type) {
  const auto* const found = std::ranges::find(kTypes, type, &Numbered::type);
  return found == kTypes.end() || size_of(type) == 0 ? 0 : found->number;
}

DataType data_type_of(int number) {
  const auto* const found = std::ranges::find(kTypes, number, &Numbered::number);
  return found == kTypes.end() ? DataType::kUndefined : found->type;
}

}  // namespace opbench::ort
