#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/head_mask_parts.h"
#include "model/operators/attention/packed_request.h"

namespace opbench {
namespace {

using PackedApartRequest = PackedRequest;

/// The input times the columns [begin, begin + heads size) of the weights, plus their bias.
HeadValue packed_apart_projected(const OperatorCall& call, NodeParts& parts,
                                 const std::string& part, int64_t begin, const HeadLayout& layout) {
  const int64_t end = begin + layout.heads * layout.size;
  const std::string weights =
      sliced(parts, part + "/weights", parts.operand(kPackedWeights), 1, begin, end);
  std::string value =
      parts.add(part + "/product", "MatMul", {parts.operand(kPackedInput), weights});
  if (has_input(call, kPackedBias)) {
    const std::string bias =
        sliced(parts, part + "/bias", parts.operand(kPackedBias), 0, begin, end);
    value = parts.add(part + "/biased", "Add", {value, bias});
  }
  return {value, layout};
}

/// Keys (0) or values (1) of the past, [2, batch, heads, steps, size].
std::string past_of(const OperatorCall& call, NodeParts& parts, const std::string& part,
                    int64_t index, const HeadLayout& h, int64_t steps) {
  if (!has_input(call, kPackedPast)) return {};
  const std::string slice =
      sliced(parts, part + "/past/part", parts.operand(kPackedPast), 0, index, index + 1);
  return parts.reshape(part + "/past", slice, {h.batch, h.heads, steps, h.size});
}

}  // namespace

bool take_apart_packed(const OperatorCall& call, NodeParts& parts) {
  const auto request = packed_request(call);
  if (!request || !is_float_but(call, kPackedPadding)) return false;
  const PackedApartRequest& r = *request;
  if (element_count(r.mask.scores) * r.key.size * r.value.size * r.hidden == 0) return false;
  const int64_t hidden = r.key.heads * r.key.size;
  const HeadValue query = packed_apart_projected(call, parts, "query", 0, r.key);
  HeadValue key = packed_apart_projected(call, parts, "key", hidden, r.key);
  HeadValue value = packed_apart_projected(call, parts, "value", 2 * hidden, r.value);
  key = with_past(parts, "key", key, past_of(call, parts, "key", 0, r.key, r.past), r.past, "");
  value = with_past(parts, "value", value, past_of(call, parts, "value", 1, r.value, r.past),
                    r.past, "");
  if (const std::string present = parts.result(1); !present.empty()) {
    key = heads_outside(parts, "key/present", key);
    value = heads_outside(parts, "value/present", value);
    const Shape one{1, r.key.batch, r.key.heads, r.total(), r.key.size};
    parts.concat(
        "present",
        {parts.reshape("key/one", key.name, one), parts.reshape("value/one", value.name, one)}, 0,
        present);
  }
  add_attention(parts, {.query = query,
                        .key = key,
                        .value = value,
                        .scale = r.scale,
                        .softcap = 0,
                        .mask = head_mask_parts(call, r.mask, parts),
                        .result = parts.result(0),
                        .scores = {},
                        .score_stage = 0});
  return true;
}

}  // namespace opbench
