#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "model/operators/elements/element_type.h"

namespace opbench {

/// True for int8 and uint8.
bool is_byte(DataType type);

/// Element `at` of a tensor of bytes.
int byte_at(const Tensor& tensor, int64_t at);

/// The nearest integer that T holds, halves to even; NaN becomes the lowest.
template <class T>
T saturated(double value) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::lowest());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double rounded = std::nearbyint(value);
  if (!(rounded > kLow)) return std::numeric_limits<T>::lowest();
  return rounded >= kHigh ? std::numeric_limits<T>::max() : static_cast<T>(rounded);
}

/// A sum of products of integers as a result: round(sum * factor) + zero point. The product is a
/// float, as engines have it; ONNX leaves it open.
template <class T>
T requantized(int64_t sum, float factor, T zero_point) {
  const float product = static_cast<float>(sum) * factor;
  return saturated<T>(std::nearbyint(static_cast<double>(product)) +
                      static_cast<double>(zero_point));
}

/// Which scale an element of a tensor has: one for all of them, one for every index along an axis,
/// or one for every block of elements along an axis.
struct ScaleLayout {
  int64_t inner = 1;   ///< elements to the next index along the axis
  int64_t extent = 1;  ///< of the axis
  int64_t block = 1;   ///< indices along the axis that share a scale
  int64_t outer_stride = 0;
  int64_t axis_stride = 0;
  int64_t inner_stride = 0;

  int64_t scale_of(int64_t element) const {
    return element / inner / extent * outer_stride +
           element / inner % extent / block * axis_stride + element % inner * inner_stride;
  }
};

/// The layout of operand 1, the scales, over operand 0, by the attributes `axis` and `block_size`.
/// `kInvalidInput` when their shapes do not fit, or when operand 2, the zero points, has another
/// shape than the scales.
Result<ScaleLayout> scale_layout(const OperatorCall& call);

/// True if operand `index` of the node is a scale or a zero point: data of a model, as its weights
/// are, even where it is one number.
bool is_scaling(const Node& node, size_t index);

/// The position of the zero point of the weights: the right matrix, or the filters. Nothing for a
/// node that has no quantised weights.
std::optional<size_t> weight_zero_point(const Node& node);

/// True for the integer types that ONNX quantises to: 8 and 16 bits wide.
bool is_quantized(DataType type);

/// Calls `f` with a zero of the C++ type of such elements; `kInvalidInput` for other types.
template <class F>
Result<void> with_quantized(const OperatorCall& call, DataType type, F&& f) {
  if (!is_quantized(type)) {
    return misfit(call, "does not quantise to " + std::string(name_of(type)));
  }
  return with_element(call, type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(int16_t)) f(zero);
  });
}

/// `kInvalidInput` unless the operand is one of the 8-bit integers.
Result<void> require_byte_integers(const OperatorCall& call, size_t index);

/// `kInvalidInput` unless the zero points, if they are there, have the type of their operand.
Result<void> require_zero_point(const OperatorCall& call, size_t zero_point, size_t operand);

/// `kInvalidInput` unless the operand, if it is there, has one element.
Result<void> require_single(const OperatorCall& call, size_t index, const char* what);

/// The elements less their zero points, which are read through `strides` as a tensor of the same
/// shape; null data of `zero_points` stand for 0.
Result<std::vector<int32_t>> centred(const OperatorCall& call, const TensorView& x,
                                     const TensorView& zero_points, const Integers& strides);

}  // namespace opbench
