#include "model/operators/attention/head_mask_parts.h"

#include <numeric>

namespace opbench {
namespace {

/// 1 where the padding mask hides a key, else 0, times the number that hides it.
ScoreValue padding_addend(const OperatorCall& call, const HeadMask& mask, NodeParts& parts) {
  constexpr int64_t kFloat32 = 1;  // ONNX's number of the type
  const Shape& given = shape_of(call, mask.padding);
  const Shape& s = mask.scores;
  const bool is_length = given.size() == 1;
  const Shape shape{s[0], 1, given.size() == 3 ? s[2] : 1, s[3]};
  const Shape from = is_length ? Shape{s[0], 1, 1, 1} : shape;
  const std::string padding = parts.reshape("padding", parts.operand(mask.padding), from);
  std::string is_hidden;
  if (is_length) {
    Tensor keys = Tensor::empty({DataType::kInt32, {s[3]}});
    std::iota(keys.as<int32_t>().begin(), keys.as<int32_t>().end(), 0);
    is_hidden = parts.add("padding/is_hidden", "GreaterOrEqual",
                          {parts.constant("padding/keys", std::move(keys)), padding});
  } else {
    Tensor zero = Tensor::empty({DataType::kInt32, {}});
    zero.as<int32_t>()[0] = 0;
    is_hidden = parts.add("padding/is_hidden", "Equal",
                          {padding, parts.constant("padding/zero", std::move(zero))});
  }
  const std::string count = parts.add("padding/hidden", "Cast", {is_hidden}, {{"to", kFloat32}});
  const std::string score = parts.scalar("padding/score", static_cast<float>(mask.hidden));
  return {parts.add("padding/addend", "Mul", {count, score}), shape};
}

}  // namespace

ScoreMask head_mask_parts(const OperatorCall& call, const HeadMask& mask, NodeParts& parts) {
  ScoreMask result;
  if (has_input(call, mask.padding)) result.addends.push_back(padding_addend(call, mask, parts));
  if (has_input(call, mask.bias))
    result.addends.push_back({parts.operand(mask.bias), shape_of(call, mask.bias)});
  if (mask.is_causal) hide_later_keys(parts, result, mask.scores[2], mask.scores[3], mask.past);
  return result;
}

bool is_float_but(const OperatorCall& call, size_t index) {
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (i != index && has_input(call, i) && call.inputs[i]->data_type != DataType::kFloat32)
      return false;
  }
  return true;
}

}  // namespace opbench
