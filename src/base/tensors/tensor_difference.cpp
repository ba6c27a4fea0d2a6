#include "base/tensors/tensor_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/tensors/half.h"

namespace opbench {
namespace {

constexpr double kInfinityOfTensorDifference = std::numeric_limits<double>::infinity();

/// `0,2,15`: the position of the element `index`.
std::string place_text(size_t index, const Shape& shape) {
  std::string text;
  auto rest = static_cast<int64_t>(index);
  for (size_t i = shape.size(); i-- > 0;) {
    text = fmt::format("{}{}{}", rest % shape[i], text.empty() ? "" : ",", text);
    rest /= shape[i];
  }
  return text.empty() ? "0" : text;
}

/// The same infinity, or a NaN on both sides.
bool are_equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

template <class T>
std::string two_values(T got, T expected, size_t index, const Shape& shape) {
  return fmt::format("it has {} where the reference has {}, at [{}]", got, expected,
                     place_text(index, shape));
}

template <class T>
Difference float_difference(const Tensor& got, const Tensor& expected, double least_scale) {
  const auto a = got.as<T>();
  const auto b = expected.as<T>();
  double error = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]);
    const auto y = static_cast<double>(b[i]);
    const double apart = std::abs(x - y);
    if (std::isfinite(apart)) {
      error = std::max(error, apart);
    } else if (!are_equal(x, y)) {
      return {kInfinityOfTensorDifference, two_values(x, y, i, got.type.shape)};
    }
  }
  if (error == 0) return {};
  const double scale = std::max(largest_magnitude(expected), least_scale);
  return {scale == 0 ? kInfinityOfTensorDifference : error / scale, ""};
}

template <class T>
double largest(std::span<const T> values) {
  double result = 0;
  for (const T value : values) {
    const auto magnitude = std::abs(static_cast<double>(value));
    if (std::isfinite(magnitude)) result = std::max(result, magnitude);
  }
  return result;
}

std::string type_text(const TensorType& type) {
  return fmt::format("{} {}", name_of(type.data_type), shape_text(type.shape));
}

}  // namespace

Difference difference_of(const Tensor& got, const Tensor& expected, double least_scale) {
  if (got.type != expected.type) {
    return {kInfinityOfTensorDifference,
            fmt::format("it is {} where the reference is {}", type_text(got.type),
                        type_text(expected.type))};
  }
  if (got.type.data_type == DataType::kFloat32) {
    return float_difference<float>(got, expected, least_scale);
  }
  if (got.type.data_type == DataType::kFloat64) {
    return float_difference<double>(got, expected, least_scale);
  }
  if (got.type.data_type == DataType::kFloat16) {
    return float_difference<Float16>(got, expected, least_scale);
  }
  if (got.type.data_type == DataType::kBFloat16) {
    return float_difference<BFloat16>(got, expected, least_scale);
  }
  if (got.data == expected.data) return {};
  const auto first = std::ranges::mismatch(got.data, expected.data).in1 - got.data.begin();
  const size_t width = std::max<size_t>(size_of(got.type.data_type), 1);
  const std::vector<int64_t> ours = integers(got);
  const std::vector<int64_t> theirs = integers(expected);
  const size_t index = static_cast<size_t>(first) / width;
  if (index >= ours.size())
    return {kInfinityOfTensorDifference, "its bytes are not the reference's"};
  return {kInfinityOfTensorDifference,
          two_values(ours[index], theirs[index], index, got.type.shape)};
}

Difference step_difference(const Tensor& got, const Tensor& expected) {
  const DataType type = got.type.data_type;
  const bool is_byte = type == DataType::kInt8 || type == DataType::kUint8;
  if (got.type != expected.type || !is_byte) return difference_of(got, expected);
  const std::vector<int64_t> ours = integers(got);
  const std::vector<int64_t> theirs = integers(expected);
  Difference result;
  for (size_t i = 0; i < ours.size(); ++i) {
    const int64_t steps = std::abs(ours[i] - theirs[i]);
    const double error = static_cast<double>(steps) / kByteSteps;
    if (error <= result.relative_error) continue;
    result.relative_error = error;
    if (steps > 1) result.reason = two_values(ours[i], theirs[i], i, got.type.shape);
  }
  return result;
}

Difference integer_difference(const Tensor& got, const Tensor& expected) {
  const DataType type = got.type.data_type;
  const std::vector<int64_t> ours = integers(got);
  const std::vector<int64_t> theirs = integers(expected);
  if (got.type != expected.type || ours.empty()) return difference_of(got, expected);
  double largest = 0;
  double apart = 0;
  size_t place = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(theirs[i])));
    const double here = std::abs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i]));
    if (here <= apart) continue;
    apart = here;
    place = i;
  }
  if (apart == 0) return {};
  const bool is_byte = type == DataType::kInt8 || type == DataType::kUint8;
  const double scale = is_byte ? kByteSteps : largest;
  return {scale == 0 ? kInfinityOfTensorDifference : apart / scale,
          two_values(ours[place], theirs[place], place, got.type.shape)};
}

double max_relative_error(const Tensor& got, const Tensor& expected) {
  return difference_of(got, expected).relative_error;
}

double largest_magnitude(const Tensor& tensor) {
  if (tensor.type.data_type == DataType::kFloat32) return largest(tensor.as<float>());
  if (tensor.type.data_type == DataType::kFloat64) return largest(tensor.as<double>());
  if (tensor.type.data_type == DataType::kFloat16) return largest(tensor.as<Float16>());
  if (tensor.type.data_type == DataType::kBFloat16) return largest(tensor.as<BFloat16>());
  return 0;
}

}  // namespace opbench
