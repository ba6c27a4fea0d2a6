#include "model/operators/attention/head_mask.h"

#include <fmt/format.h>

#include "model/operators/attention/attention_reference.h"

namespace opbench {
namespace {

bool fits_padding(const OperatorCall& call, const HeadMask& m) {
  const Shape& shape = shape_of(call, m.padding);
  const Shape& s = m.scores;
  return call.inputs[m.padding]->data_type == DataType::kInt32 &&
         (shape == Shape{s[0]} || shape == Shape{s[0], s[3]} || shape == Shape{s[0], s[2], s[3]});
}

bool fits_bias(const Shape& bias, const Shape& scores) {
  return bias.size() == 4 && (bias[0] == 1 || bias[0] == scores[0]) &&
         (bias[1] == 1 || bias[1] == scores[1]) && bias[2] == scores[2] && bias[3] == scores[3];
}

/// True if the padding mask hides the key.
bool is_hidden(const OperatorCall& call, const HeadMask& m, std::span<const TensorView> inputs,
               std::array<int64_t, 4> at) {
  const auto [image, head, query, key] = at;
  const Shape& shape = shape_of(call, m.padding);
  const auto values = inputs[m.padding].as<int32_t>();
  if (shape.size() == 1) return key >= values[static_cast<size_t>(image)];
  const int64_t row = shape.size() == 2 ? image : image * m.scores[2] + query;
  return values[static_cast<size_t>(row * m.scores[3] + key)] == 0;
}

}  // namespace

Result<void> check_head_mask(const OperatorCall& call, const HeadMask& mask) {
  if (has_input(call, mask.padding) && !fits_padding(call, mask)) {
    return misfit(
        call, fmt::format("padding mask {}:{} does not fit scores {}",
                          shape_text(shape_of(call, mask.padding)),
                          name_of(call.inputs[mask.padding]->data_type), shape_text(mask.scores)));
  }
  if (has_input(call, mask.bias) && !fits_bias(shape_of(call, mask.bias), mask.scores)) {
    return misfit(call,
                  fmt::format("attention bias {} does not fit scores {}",
                              shape_text(shape_of(call, mask.bias)), shape_text(mask.scores)));
  }
  return {};
}

double head_bias(const OperatorCall& call, const HeadMask& mask, std::span<const TensorView> inputs,
                 std::array<int64_t, 4> at) {
  const auto [image, head, query, key] = at;
  if (mask.is_causal && key > mask.past + query) return kMaskedScore;
  double bias = 0;
  if (has_input(call, mask.padding) && is_hidden(call, mask, inputs, at)) bias = mask.hidden;
  if (!has_input(call, mask.bias)) return bias;
  const Shape& shape = shape_of(call, mask.bias);
  const int64_t matrix = (shape[0] == 1 ? 0 : image) * shape[1] + (shape[1] == 1 ? 0 : head);
  const int64_t row = matrix * shape[2] + query;
  return bias + inputs[mask.bias].as<float>()[static_cast<size_t>(row * shape[3] + key)];
}

}  // namespace opbench
