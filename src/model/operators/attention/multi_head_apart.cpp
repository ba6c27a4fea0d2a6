#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/head_mask_parts.h"
#include "model/operators/attention/multi_head_request.h"

namespace opbench {
namespace {

using MultiHeadApartRequest = MultiHeadRequest;

/// Part `index` of `count` that lie in an operand [batch, steps, heads, count, size], as flat
/// heads.
HeadValue unpacked(NodeParts& parts, const std::string& part, const std::string& operand,
                   int64_t index, const HeadLayout& h) {
  const std::string slice = sliced(parts, part + "/part", operand, 3, index, index + 1);
  return {parts.reshape(part + "/unpacked", slice, {h.batch, h.steps, h.heads * h.size}), h};
}

/// Adds the elements [begin, begin + heads size) of the bias to flat heads.
void add_multi_head_apart_bias(NodeParts& parts, const std::string& part, HeadValue& value,
                               int64_t begin) {
  const int64_t width = value.layout.heads * value.layout.size;
  const std::string bias =
      sliced(parts, part + "/bias", parts.operand(kHeadBias), 0, begin, begin + width);
  value.name = parts.add(part + "/biased", "Add", {value.name, bias});
}

struct MultiHeadApartOperands {
  HeadValue query, key, value;
};

MultiHeadApartOperands multi_head_apart_operands_of(const OperatorCall& call,
                                                    const MultiHeadApartRequest& r,
                                                    NodeParts& parts) {
  const std::string query = parts.operand(kHeadQuery), key = parts.operand(kHeadKey);
  MultiHeadApartOperands o{{query, r.query}, {key, r.key}, {parts.operand(kHeadValue), r.value}};
  if (r.form == HeadForm::kPacked) {
    o = {unpacked(parts, "query", query, 0, r.query), unpacked(parts, "key", query, 1, r.key),
         unpacked(parts, "value", query, 2, r.value)};
  } else if (r.form == HeadForm::kPackedKeys) {
    o.key = unpacked(parts, "key", key, 0, r.key);
    o.value = unpacked(parts, "value", key, 1, r.value);
  }
  if (!has_input(call, kHeadBias)) return o;
  const int64_t hidden = r.query.heads * r.query.size;
  add_multi_head_apart_bias(parts, "query", o.query, 0);
  if (r.form == HeadForm::kCross) return o;
  add_multi_head_apart_bias(parts, "key", o.key, hidden);
  add_multi_head_apart_bias(parts, "value", o.value, 2 * hidden);
  return o;
}

}  // namespace

bool take_apart_multi_head(const OperatorCall& call, NodeParts& parts) {
  const auto request = multi_head_request(call);
  if (!request || !is_float_but(call, kHeadPadding)) return false;
  const MultiHeadApartRequest& r = *request;
  if (element_count(r.mask.scores) * r.query.size * r.value.size == 0) return false;
  MultiHeadApartOperands o = multi_head_apart_operands_of(call, r, parts);
  o.key = with_past(parts, "key", o.key, parts.operand(kHeadPastKey), r.past, parts.result(1));
  o.value =
      with_past(parts, "value", o.value, parts.operand(kHeadPastValue), r.past, parts.result(2));
  add_attention(parts, {.query = o.query,
                        .key = o.key,
                        .value = o.value,
                        .scale = r.scale,
                        .softcap = 0,
                        .mask = head_mask_parts(call, r.mask, parts),
                        .result = parts.result(0),
                        .scores = parts.result(3),
                        .score_stage = 0});
  return true;
}

}  // namespace opbench
