#include "base/tensors/tensor.h"

#include <algorithm>
#include <array>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

struct TypeRow {
  DataType type;
  std::string_view name;
  size_t size;
};

constexpr std::array kTypes = {
    TypeRow{DataType::kUndefined, "undefined", 0},   TypeRow{DataType::kFloat32, "float32", 4},
    TypeRow{DataType::kFloat64, "float64", 8},       TypeRow{DataType::kFloat16, "float16", 2},
    TypeRow{DataType::kBFloat16, "bfloat16", 2},     TypeRow{DataType::kInt8, "int8", 1},
    TypeRow{DataType::kUint8, "uint8", 1},           TypeRow{DataType::kInt16, "int16", 2},
    TypeRow{DataType::kUint16, "uint16", 2},         TypeRow{DataType::kInt32, "int32", 4},
    TypeRow{DataType::kUint32, "uint32", 4},         TypeRow{DataType::kInt64, "int64", 8},
    TypeRow{DataType::kUint64, "uint64", 8},         TypeRow{DataType::kBool, "bool", 1},
    TypeRow{DataType::kString, "string", 0},         TypeRow{DataType::kComplex64, "complex64", 0},
    TypeRow{DataType::kComplex128, "complex128", 0}, TypeRow{DataType::kFloat8, "float8", 0},
    TypeRow{DataType::kSubByte, "sub-byte", 0},
};

const TypeRow& row_of(DataType type) { return kTypes.at(static_cast<size_t>(type)); }

template <class T>
std::vector<int64_t> widened(const Tensor& tensor) {
  const auto values = tensor.as<T>();
  return {values.begin(), values.end()};
}

}  // namespace

std::string_view name_of(DataType type) { return row_of(type).name; }

size_t size_of(DataType type) { return row_of(type).size; }

Result<DataType> parse_data_type(std::string_view text) {
  std::vector<std::string> known;
  for (const TypeRow& row : kTypes) {
    if (row.name == text) return row.type;
    if (row.size > 0) known.emplace_back(row.name);
  }
  return unknown_name("data type", text, known);
}

int64_t element_count(const Shape& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

std::string shape_text(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? "x" : "") + std::to_string(shape[i]);
  return text;
}

std::vector<int64_t> integers(const Tensor& tensor) {
  switch (tensor.type.data_type) {
    case DataType::kInt64:
      return widened<int64_t>(tensor);
    case DataType::kUint64:
      return widened<uint64_t>(tensor);
    case DataType::kInt32:
      return widened<int32_t>(tensor);
    case DataType::kUint32:
      return widened<uint32_t>(tensor);
    case DataType::kInt16:
      return widened<int16_t>(tensor);
    case DataType::kUint16:
      return widened<uint16_t>(tensor);
    case DataType::kInt8:
      return widened<int8_t>(tensor);
    case DataType::kUint8:
    case DataType::kBool:
      return widened<uint8_t>(tensor);
    default:
      return {};
  }
}

}  // namespace opbench
