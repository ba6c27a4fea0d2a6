#include "model/operators/attention/attention_apart.h"

#include <algorithm>
#include <limits>

#include "model/operators/attention/attention_parts.h"
#include "model/operators/attention/attention_request.h"

namespace opbench {
namespace {

constexpr int64_t kAttentionApartFloat32 = 1;  // ONNX's number of the type

bool is_float(const OperatorCall& call, size_t index) {
  return !has_input(call, index) || call.inputs[index]->data_type == DataType::kFloat32;
}

bool has_empty_extent(const AttentionRequest& r) {
  return element_count(r.scores()) == 0 || r.query.size == 0 || r.value.size == 0;
}

/// The operand as it is, and its last dimension as long as there are keys: those beyond are hidden.
void add_mask(NodeParts& parts, const OperatorCall& call, const AttentionRequest& r,
              ScoreMask& mask) {
  Shape shape = shape_of(call, kMask);
  const bool is_bool = call.inputs[kMask]->data_type == DataType::kBool;
  std::string value = parts.operand(kMask);
  const int64_t missing = r.total() - mask_extent(call, r);
  if (missing > 0) {
    Shape beyond = shape;
    beyond.back() = missing;
    Tensor hidden = Tensor::empty({call.inputs[kMask]->data_type, beyond});
    if (!is_bool) std::ranges::fill(hidden.as<float>(), -std::numeric_limits<float>::infinity());
    if (is_bool) std::ranges::fill(hidden.data, std::byte{0});
    value = parts.concat("mask/all", {value, parts.constant("mask/beyond", std::move(hidden))}, -1);
    shape.back() = r.total();
  }
  if (is_bool) {
    hide_unless(parts, mask, "mask", value, shape);
    return;
  }
  // Minus infinity hides a key; sums of it with itself would be no numbers.
  const std::string lowest = parts.scalar("mask/lowest", hidden_score());
  mask.addends.push_back({parts.add("mask/addend", "Max", {value, lowest}), shape});
  const std::string is_seen = parts.add("mask/is_seen", "GreaterOrEqual", {value, lowest});
  mask.visible.push_back(
      {parts.add("mask/visible", "Cast", {is_seen}, {{"to", kAttentionApartFloat32}}), shape});
}

/// Keys beyond those that an image has, and, where the order counts, those after the query's step:
/// the queries are the image's last steps.
void add_lengths(NodeParts& parts, const AttentionRequest& r, ScoreMask& mask) {
  Integers keys;
  for (int64_t i = 0; i < r.total(); ++i) keys.push_back(i);
  const std::string key = parts.constant("lengths/keys", integer_tensor(keys));
  Shape shape{r.query.batch, 1, 1, r.total()};
  std::string end =
      parts.reshape("lengths/of_image", parts.operand(kValidLengths), {r.query.batch, 1, 1, 1});
  if (r.is_causal) {
    Tensor after = Tensor::empty({DataType::kInt64, {r.query.steps, 1}});
    for (int64_t q = 0; q < r.query.steps; ++q)
      after.as<int64_t>()[static_cast<size_t>(q)] = q + 1 - r.query.steps;
    end = parts.add("lengths/end", "Add", {end, parts.constant("lengths/after", std::move(after))});
    shape[2] = r.query.steps;
  }
  hide_unless(parts, mask, "lengths", parts.add("lengths/is_seen", "Less", {key, end}), shape);
}

}  // namespace

bool take_apart_attention(const OperatorCall& call, NodeParts& parts) {
  const auto request = attention_request(call);
  if (!request || has_empty_extent(*request)) return false;
  const AttentionRequest& r = *request;
  const bool has_bool_mask =
      has_input(call, kMask) && call.inputs[kMask]->data_type == DataType::kBool;
  for (const size_t index : {kQuery, kKey, kValue, kPastKey, kPastValue})
    if (!is_float(call, index)) return false;
  if (!has_bool_mask && !is_float(call, kMask)) return false;
  AttentionParts attention{.query = {parts.operand(kQuery), r.query},
                           .key = {parts.operand(kKey), r.key},
                           .value = {parts.operand(kValue), r.value},
                           .scale = r.scale,
                           .softcap = r.softcap,
                           .mask = {},
                           .result = parts.result(0),
                           .scores = parts.result(3),
                           .score_stage = r.score_stage};
  attention.key =
      with_past(parts, "key", attention.key, parts.operand(kPastKey), r.past, parts.result(1));
  attention.value = with_past(parts, "value", attention.value, parts.operand(kPastValue), r.past,
                              parts.result(2));
  if (has_input(call, kMask)) add_mask(parts, call, r, attention.mask);
  if (has_input(call, kValidLengths)) {
    add_lengths(parts, r, attention.mask);
  } else if (r.is_causal) {
    hide_later_keys(parts, attention.mask, r.query.steps, r.total(), r.past);
  }
  add_attention(parts, attention);
  return true;
}

}  // namespace opbench
