#include "kernels/schedules/expressions/typed_expr.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "kernels/schedules/expressions/half_casts.h"

namespace opbench {
namespace {

using Halide::Expr;
using TypedExprOperands = std::vector<Expr>;
using Function = Expr (*)(const Expr&, const Expr&);

bool is_integer(DataType type) {
  static const std::set<DataType> kIntegers = {
      DataType::kInt8,  DataType::kUint8,  DataType::kInt16, DataType::kUint16,
      DataType::kInt32, DataType::kUint32, DataType::kInt64, DataType::kUint64};
  return kIntegers.contains(type);
}

bool is_number(DataType type) {
  return is_integer(type) || type == DataType::kFloat32 || type == DataType::kFloat64;
}

bool is_element(DataType type) { return is_number(type) || type == DataType::kBool; }

bool is_half(DataType type) { return type == DataType::kFloat16 || type == DataType::kBFloat16; }

/// Rounded once: wider types than float32 would be rounded to that first.
bool is_half_cast(DataType from, DataType to) {
  return (is_half(from) && to == DataType::kFloat32) || (from == DataType::kFloat32 && is_half(to));
}

Expr truth(const Expr& condition) { return Halide::cast<uint8_t>(Halide::strict_float(condition)); }

/// Bytes. Halide takes `a <= b` for `not (b < a)`, which NaN refutes: it is put together.
const std::map<std::string, Function>& comparisons() {
  static const std::map<std::string, Function> kAll = {
      {"Equal", [](const Expr& a, const Expr& b) { return truth(a == b); }},
      {"Greater", [](const Expr& a, const Expr& b) { return truth(b < a); }},
      {"GreaterOrEqual", [](const Expr& a, const Expr& b) { return truth(b < a) | truth(a == b); }},
      {"Less", [](const Expr& a, const Expr& b) { return truth(a < b); }},
      {"LessOrEqual", [](const Expr& a, const Expr& b) { return truth(a < b) | truth(a == b); }}};
  return kAll;
}

/// On bytes that are 0 or 1.
const std::map<std::string, Function>& logic() {
  static const std::map<std::string, Function> kAll = {
      {"And", [](const Expr& a, const Expr& b) { return a & b; }},
      {"Or", [](const Expr& a, const Expr& b) { return a | b; }},
      {"Xor", [](const Expr& a, const Expr& b) { return a ^ b; }}};
  return kAll;
}

const std::map<std::string, Function>& arithmetic() {
  static const std::map<std::string, Function> kAll = {
      {"Add", [](const Expr& a, const Expr& b) { return a + b; }},
      {"Sub", [](const Expr& a, const Expr& b) { return a - b; }},
      {"Mul", [](const Expr& a, const Expr& b) { return a * b; }}};
  return kAll;
}

const std::map<std::string, Function>& extremes() {
  static const std::map<std::string, Function> kAll = {
      {"Max", [](const Expr& a, const Expr& b) { return Halide::max(a, b); }},
      {"Min", [](const Expr& a, const Expr& b) { return Halide::min(a, b); }}};
  return kAll;
}

Expr bits_of(const Expr& value) {
  return Halide::reinterpret(value.type().with_code(halide_type_uint), value);
}

/// On bits: Halide lets LLVM take sums that overflow, and infinities, for anything.
Expr on_bits(Function function, const Expr& a, const Expr& b) {
  return Halide::reinterpret(a.type(), function(bits_of(a), bits_of(b)));
}

Expr chosen(const TypedExprOperands& operands) {
  const Expr choice = Halide::select(operands[0] != Halide::cast<uint8_t>(0), bits_of(operands[1]),
                                     bits_of(operands[2]));
  return Halide::reinterpret(operands[1].type(), choice);
}

/// As C++ casts where that has a value. Small integers go by way of int32, as on x86.
Expr converted(const Expr& value, DataType to, bool has_half_casts) {
  const Halide::Type type = halide_type(to);
  if (to == DataType::kFloat16) return half_of(value, has_half_casts);
  if (value.type() == Halide::Float(16)) return float_of_half(value, has_half_casts);
  if (to == DataType::kBool) {
    return truth(value != Halide::cast(value.type(), 0));
  }
  const bool is_narrowed = value.type().is_float() && !type.is_float() && type.bits() < 32;
  return Halide::cast(type, is_narrowed ? Halide::cast<int32_t>(value) : value);
}

bool are(const std::vector<DataType>& types, DataType type) {
  return std::ranges::all_of(types, [&](DataType each) { return each == type; });
}

}  // namespace

Halide::Type halide_type(DataType type) {
  switch (type) {
    case DataType::kFloat64:
      return Halide::Float(64);
    case DataType::kFloat16:
      return Halide::Float(16);
    case DataType::kBFloat16:
      return Halide::BFloat(16);
    case DataType::kInt8:
      return Halide::Int(8);
    case DataType::kUint8:
    case DataType::kBool:
      return Halide::UInt(8);
    case DataType::kInt16:
      return Halide::Int(16);
    case DataType::kUint16:
      return Halide::UInt(16);
    case DataType::kInt32:
      return Halide::Int(32);
    case DataType::kUint32:
      return Halide::UInt(32);
    case DataType::kInt64:
      return Halide::Int(64);
    case DataType::kUint64:
      return Halide::UInt(64);
    default:
      return Halide::Float(32);
  }
}

bool has_typed_expr(const Node& node, const std::vector<DataType>& operands, DataType result) {
  if (!node.domain.empty() || operands.size() != node.inputs.size()) return false;
  const std::string& type = node.type;
  if (type == "Cast" && operands.size() == 1 && is_half_cast(operands[0], result)) return true;
  if (!std::ranges::all_of(operands, is_element) || !is_element(result)) return false;
  if (type == "Cast") return operands.size() == 1;
  if (type == "Not") return operands.size() == 1 && operands[0] == DataType::kBool;
  if (type == "Where") return operands[0] == DataType::kBool && operands[1] == operands[2];
  // Halide takes equal operands for equal values, and a NaN is not.
  if (operands.size() != 2 || node.inputs[0] == node.inputs[1]) return false;
  if (comparisons().contains(type)) return operands[0] == operands[1];
  if (logic().contains(type)) return are(operands, DataType::kBool);
  const bool is_known = arithmetic().contains(type) || extremes().contains(type);
  return is_known && is_integer(result) && are(operands, result);
}

Expr typed_expr(const Node& node, const TypedExprOperands& operands, DataType result,
                bool has_half_casts) {
  const std::string& type = node.type;
  if (type == "Cast") return converted(operands[0], result, has_half_casts);
  if (type == "Not") return operands[0] ^ Halide::cast<uint8_t>(1);
  if (type == "Where") return chosen(operands);
  if (const auto it = comparisons().find(type); it != comparisons().end())
    return it->second(operands[0], operands[1]);
  if (const auto it = logic().find(type); it != logic().end())
    return it->second(operands[0], operands[1]);
  if (const auto it = extremes().find(type); it != extremes().end())
    return it->second(operands[0], operands[1]);
  return on_bits(arithmetic().at(type), operands[0], operands[1]);
}

bool has_immediates(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kInt64 || type == DataType::kInt32 ||
         type == DataType::kBool || type == DataType::kUint8 || type == DataType::kInt8;
}

std::vector<Expr> immediates(const Tensor& constant) {
  const auto listed = [&](auto zero) {
    std::vector<Expr> values;
    for (const auto value : constant.as<decltype(zero)>())
      values.push_back(Halide::Internal::make_const(halide_type(constant.type.data_type), value));
    return values;
  };
  switch (constant.type.data_type) {
    case DataType::kInt64:
      return listed(int64_t{});
    case DataType::kInt32:
      return listed(int32_t{});
    case DataType::kBool:
    case DataType::kUint8:
      return listed(uint8_t{});
    case DataType::kInt8:
      return listed(int8_t{});
    default:
      return listed(float{});
  }
}

}  // namespace opbench
