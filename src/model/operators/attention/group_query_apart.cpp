#include <algorithm>
#include <numeric>
#include <optional>

#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/group_query_cache.h"

namespace opbench {
namespace {

using GroupQueryApartRequest = GroupQueryRequest;

/// Heads [first, first + layout.heads) of the query operand, where it holds all three.
HeadValue group_query_apart_heads_of(const GroupQueryApartRequest& r, NodeParts& parts,
                                     const std::string& part, size_t operand,
                                     const HeadLayout& layout, int64_t first) {
  if (!r.is_packed) return {parts.operand(operand), layout};
  const int64_t begin = first * layout.size;
  return {sliced(parts, part + "/unpacked", parts.operand(kGroupQuery), 2, begin,
                 begin + layout.heads * layout.size),
          layout};
}

/// int64 [batch, steps]: of steps that begin with the first one.
std::string first_positions(const GroupQueryApartRequest& r, NodeParts& parts) {
  Tensor steps = Tensor::empty({DataType::kInt64, {r.query.batch, r.query.steps}});
  for (int64_t i = 0; i < steps.type.size(); ++i)
    steps.as<int64_t>()[static_cast<size_t>(i)] = i % r.query.steps;
  return parts.constant("positions", std::move(steps));
}

struct Angles {
  std::string cosines, sines;
};

void group_query_apart_rotate(const GroupQueryApartRequest& r, NodeParts& parts,
                              const std::string& part, const Angles& angles, HeadValue& value) {
  Attributes attributes{{"num_heads", value.layout.heads}, {"rotary_embedding_dim", r.rotated}};
  if (r.is_interleaved) attributes["interleaved"] = int64_t{1};
  value.name = parts.add(part + "/rotated", "RotaryEmbedding",
                         {value.name, angles.cosines, angles.sines}, std::move(attributes));
}

/// Hides the keys outside the window that ends with the query's own step.
void hide_outside_window(const GroupQueryApartRequest& r, NodeParts& parts, ScoreMask& mask) {
  const Shape shape{r.query.steps, r.total};
  Tensor addend = Tensor::empty({DataType::kFloat32, shape});
  Tensor visible = Tensor::empty({DataType::kFloat32, shape});
  for (int64_t i = 0; i < element_count(shape); ++i) {
    const int64_t query = i / r.total, key = i % r.total;
    const bool is_seen = key <= query && (r.window < 0 || key > query - r.window);
    addend.as<float>()[static_cast<size_t>(i)] = is_seen ? 0 : hidden_score();
    visible.as<float>()[static_cast<size_t>(i)] = is_seen ? 1 : 0;
  }
  mask.addends.push_back({parts.constant("window", std::move(addend)), shape});
  if (!mask.visible.empty())
    mask.visible.push_back({parts.constant("window/visible", std::move(visible)), shape});
}

/// Keys beyond the last of their image are padding.
void hide_padding(const OperatorCall& call, const GroupQueryApartRequest& r, NodeParts& parts,
                  ScoreMask& mask) {
  const Tensor* known = call.constants[kGroupLengths];
  const auto is_full = [&](int32_t last) { return last + 1 == r.total; };
  if (known != nullptr && std::ranges::all_of(known->as<int32_t>(), is_full)) return;
  Tensor keys = Tensor::empty({DataType::kInt32, {r.total}});
  std::iota(keys.as<int32_t>().begin(), keys.as<int32_t>().end(), 0);
  const std::string last =
      parts.reshape("padding/last", parts.operand(kGroupLengths), {r.query.batch, 1, 1, 1});
  const std::string is_seen = parts.add("padding/is_seen", "LessOrEqual",
                                        {parts.constant("padding/keys", std::move(keys)), last});
  hide_unless(parts, mask, "padding", is_seen, {r.query.batch, 1, 1, r.total});
  if (r.window < 0) mask.visible.clear();  // every query sees the first key
}

void add_group_query_apart_bias(const OperatorCall& call, const GroupQueryApartRequest& r,
                                NodeParts& parts, ScoreMask& mask) {
  if (!has_input(call, kGroupBias)) return;
  Shape shape = shape_of(call, kGroupBias);
  std::string bias = parts.operand(kGroupBias);
  if (shape[3] > r.total) bias = sliced(parts, "bias", bias, 3, 0, r.total);
  shape[3] = r.total;
  mask.addends.push_back({bias, shape});
}

bool has_floats(const OperatorCall& call) {
  for (const size_t i :
       {kGroupQuery, kGroupKey, kGroupValue, kGroupCosines, kGroupSines, kGroupBias})
    if (has_input(call, i) && call.inputs[i]->data_type != DataType::kFloat32) return false;
  return true;
}

/// Turns queries and keys by the angles of their positions.
void rotate_by(const GroupQueryApartRequest& r, NodeParts& parts, const std::string& positions,
               HeadValue& query, HeadValue& key) {
  const auto rows = [&](const std::string& part, size_t angles) {
    return parts.add(part, "Gather", {parts.operand(angles), positions}, {{"axis", int64_t{0}}});
  };
  const Angles angles{rows("cosines", kGroupCosines), rows("sines", kGroupSines)};
  group_query_apart_rotate(r, parts, "query", angles, query);
  group_query_apart_rotate(r, parts, "key", angles, key);
}

}  // namespace

bool take_apart_group_query(const OperatorCall& call, NodeParts& parts) {
  const auto request = group_query_request(call);
  if (!request || !has_floats(call)) return false;
  const GroupQueryApartRequest& r = *request;
  const bool is_usual = !r.has_smooth_softmax && !has_input(call, kGroupSink) && r.window != 0 &&
                        element_count({r.query.batch, r.query.steps, r.query.size}) > 0;
  if (!is_usual || (r.past > 0 && !GroupQueryCache::is_taken(r))) return false;
  std::optional<GroupQueryCache> cache;
  if (r.past > 0) cache.emplace(parts, r);
  HeadValue query = group_query_apart_heads_of(r, parts, "query", kGroupQuery, r.query, 0);
  HeadValue key = group_query_apart_heads_of(r, parts, "key", kGroupKey, r.key, r.query.heads);
  HeadValue value = group_query_apart_heads_of(r, parts, "value", kGroupValue, r.key,
                                               r.query.heads + r.key.heads);
  if (r.rotated > 0) {
    std::string positions = parts.operand(kGroupPositions);
    if (positions.empty()) positions = cache ? cache->positions() : first_positions(r, parts);
    rotate_by(r, parts, positions, query, key);
  }
  ScoreMask mask;
  if (cache) {
    key = cache->with("key", parts.operand(kGroupPastKey), key, parts.result(1));
    value = cache->with("value", parts.operand(kGroupPastValue), value, parts.result(2));
    cache->hide_keys(mask);
  } else {
    key = with_past(parts, "key", key, "", 0, parts.result(1));
    value = with_past(parts, "value", value, "", 0, parts.result(2));
    hide_padding(call, r, parts, mask);
    hide_outside_window(r, parts, mask);
  }
  add_group_query_apart_bias(call, r, parts, mask);
  add_attention(parts, {.query = query,
                        .key = key,
                        .value = value,
                        .scale = r.scale,
                        .softcap = r.softcap,
                        .mask = mask,
                        .result = parts.result(0),
                        .scores = {},
                        .score_stage = 0});
  return true;
}

}  // namespace opbench
