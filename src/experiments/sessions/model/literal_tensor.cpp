#include "experiments/sessions/model/literal_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/tensors/half.h"

namespace opbench {
namespace {

Error refuse(const std::string& text, const std::string& input, const TensorType& type) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("--input {} does not take \"{}\"", input, text)}
      .with("input", fmt::format("{} {}", name_of(type.data_type), shape_text(type.shape)));
}

/// A number, infinities and NaN included; true and false as 1 and 0.
std::optional<double> parse_literal(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return {};
  return value;
}

template <class T>
Tensor tensor_with(const TensorType& type, T value) {
  return Tensor::of<T>(type.data_type, type.shape, std::span<const T>(&value, 1));
}

/// The whole number that the text is, if the type has it.
template <class T>
std::optional<Tensor> integer_tensor(std::string_view text, const TensorType& type) {
  T value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last) return tensor_with(type, value);
  // 16e3 and 1.0 are whole numbers too.
  const std::optional<double> number = parse_literal(text);
  constexpr double kExact = 9007199254740992;  // 2^53
  const bool is_whole = number && std::fabs(*number) <= kExact && std::trunc(*number) == *number;
  if (!is_whole || !std::in_range<T>(static_cast<int64_t>(*number))) return {};
  return tensor_with(type, static_cast<T>(*number));
}

std::optional<Tensor> tensor_of(std::string_view text, const TensorType& type) {
  const double number = *parse_literal(text);
  switch (type.data_type) {
    case DataType::kFloat32:
      return tensor_with(type, static_cast<float>(number));
    case DataType::kFloat64:
      return tensor_with(type, number);
    case DataType::kFloat16:
      return tensor_with(type, Float16(number));
    case DataType::kBFloat16:
      return tensor_with(type, BFloat16(number));
    case DataType::kInt8:
      return integer_tensor<int8_t>(text, type);
    case DataType::kUint8:
      return integer_tensor<uint8_t>(text, type);
    case DataType::kInt16:
      return integer_tensor<int16_t>(text, type);
    case DataType::kUint16:
      return integer_tensor<uint16_t>(text, type);
    case DataType::kInt32:
      return integer_tensor<int32_t>(text, type);
    case DataType::kUint32:
      return integer_tensor<uint32_t>(text, type);
    case DataType::kInt64:
      return integer_tensor<int64_t>(text, type);
    case DataType::kUint64:
      return integer_tensor<uint64_t>(text, type);
    case DataType::kBool:
      if (number != 0 && number != 1) return {};
      return tensor_with(type, static_cast<uint8_t>(number));
    default:
      return {};
  }
}

}  // namespace

bool names_tensor_file(std::string_view text) {
  return text.ends_with(".npy") || text.ends_with(".pb");
}

bool is_literal(std::string_view text) { return parse_literal(text).has_value(); }

Result<Tensor> literal_tensor(const std::string& text, const TensorType& type,
                              const std::string& input) {
  if (type.size() != 1) {
    return refuse(text, input, type)
        .with("reason", "one number is for inputs of one element; others need a .npy or .pb file");
  }
  std::optional<Tensor> tensor = is_literal(text) ? tensor_of(text, type) : std::nullopt;
  if (tensor) return std::move(*tensor);
  return refuse(text, input, type)
      .with("reason", fmt::format("{} has no such value", name_of(type.data_type)));
}

}  // namespace opbench
