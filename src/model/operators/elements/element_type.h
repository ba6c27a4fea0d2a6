#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/tensors/half.h"
#include "model/operators/operand.h"

namespace opbench {

/// Calls `f` with a zero of the C++ type of `type`'s elements (bool as uint8_t); `kInvalidInput`
/// for types that are not computed on.
template <class F>
Result<void> with_element(const OperatorCall& call, DataType type, F&& f) {
  switch (type) {
    case DataType::kFloat32:
      f(float{});
      return {};
    case DataType::kFloat64:
      f(double{});
      return {};
    case DataType::kInt8:
      f(int8_t{});
      return {};
    case DataType::kBool:
    case DataType::kUint8:
      f(uint8_t{});
      return {};
    case DataType::kInt16:
      f(int16_t{});
      return {};
    case DataType::kUint16:
      f(uint16_t{});
      return {};
    case DataType::kInt32:
      f(int32_t{});
      return {};
    case DataType::kUint32:
      f(uint32_t{});
      return {};
    case DataType::kInt64:
      f(int64_t{});
      return {};
    case DataType::kUint64:
      f(uint64_t{});
      return {};
    case DataType::kFloat16:
      f(Float16{});
      return {};
    case DataType::kBFloat16:
      f(BFloat16{});
      return {};
    default:
      return misfit(call, "does not compute on " + std::string(name_of(type)));
  }
}

/// What rare elements of 8 and 16 bits are computed in where only their order counts: one loop
/// compiled for all of them.
template <class T>
using Widened =
    std::conditional_t<(sizeof(T) > 2), T, std::conditional_t<is_real_v<T>, float, int32_t>>;

/// Calls `f` with the first of the elements, as Widened; errors as with_element().
template <class F>
Result<void> with_widened(const OperatorCall& call, const TensorView& view, F&& f) {
  return with_element(call, view.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, Widened<T>>) {
      f(static_cast<const T*>(view.data));
    } else {
      std::vector<Widened<T>> wide;
      wide.reserve(view.as<T>().size());
      for (const T value : view.as<T>()) wide.push_back(static_cast<Widened<T>>(value));
      f(static_cast<const Widened<T>*>(wide.data()));
    }
  });
}

/// Calls `f` with a zero of an unsigned integer as wide as the elements: for moving data.
template <class F>
Result<void> with_width(const OperatorCall& call, DataType type, F&& f) {
  switch (size_of(type)) {
    case 1:
      f(uint8_t{});
      return {};
    case 2:
      f(uint16_t{});
      return {};
    case 4:
      f(uint32_t{});
      return {};
    case 8:
      f(uint64_t{});
      return {};
    default:
      return misfit(call, "does not move " + std::string(name_of(type)));
  }
}

/// `kInvalidInput` unless every tensor is float32. An optional operand that is left out has no
/// type; one of a type without a width (float8, strings) has no data either, and is refused.
inline Result<void> require_float32(const OperatorCall& call, std::span<const TensorView> views) {
  for (const TensorView& view : views) {
    const DataType type = view.type.data_type;
    if (type == DataType::kFloat32 || type == DataType::kUndefined) continue;
    return misfit(call, "does not compute on " + std::string(name_of(type)));
  }
  return {};
}

}  // namespace opbench
