#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/group_query_request.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/attention/rotary_pairs.h"
#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

using GroupQueryAttentionRequest = GroupQueryRequest;
using GroupQueryAttentionViews = std::span<const TensorView>;

/// The result, and the caches of keys and values with the new steps in them.
Result<std::vector<TensorType>> infer_group_query_attention(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 12));
  if (!has_input(call, kGroupLengths)) return misfit(call, "seqlens_k is missing");
  OPBENCH_CHECK(require_outputs(call, 3));
  OPBENCH_TRY(const GroupQueryAttentionRequest r, group_query_request(call));
  const DataType type = call.inputs[kGroupQuery]->data_type;
  const TensorType cache{type, {r.key.batch, r.key.heads, r.present(), r.key.size}};
  std::vector<TensorType> types{
      {type, {r.query.batch, r.query.steps, r.query.heads * r.query.size}}, cache, cache};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

/// The total length that the run tells must make caches of the extent that was expected.
Result<void> check_caches(const OperatorCall& call, const GroupQueryAttentionRequest& r,
                          GroupQueryAttentionViews inputs) {
  OPBENCH_TRY(const int64_t total,
              index_value(call, inputs[kGroupTotalLength], "total_sequence_length"));
  const int64_t steps = std::max(r.past, total);
  if (steps == r.present()) return {};
  return misfit(call, fmt::format("total_sequence_length {} makes caches of {} steps, not {}: it "
                                  "must be known before the run",
                                  total, steps, r.present()));
}

/// Steps before those of the call in every image. Images shorter than the call have none and end in
/// padding, as they do in a prompt.
Result<Integers> past_lengths(const OperatorCall& call, const GroupQueryAttentionRequest& r,
                              GroupQueryAttentionViews inputs) {
  Integers before;
  for (const int32_t last : inputs[kGroupLengths].as<int32_t>()) {
    const int64_t length = int64_t{last} + 1;
    if (length < 1 || length > r.total) {
      return misfit(call, fmt::format("seqlens_k {} is outside {} steps", last, r.total));
    }
    before.push_back(std::max<int64_t>(0, length - r.query.steps));
  }
  return before;
}

/// Heads [batch, heads, steps, size] at `head` of the query operand where it holds all three.
std::vector<float> group_query_attention_heads_of(const GroupQueryAttentionRequest& r,
                                                  GroupQueryAttentionViews inputs, size_t index,
                                                  const HeadLayout& layout, int64_t head) {
  if (!r.is_packed) {
    return copy_heads(inputs[index].as<float>().data(), strides_of(layout), layout);
  }
  const int64_t step = (r.query.heads + 2 * r.key.heads) * r.query.size;
  return copy_heads(inputs[kGroupQuery].as<float>().data() + head * r.query.size,
                    {r.query.steps * step, r.query.size, step}, layout);
}

/// Turns heads [batch, heads, steps, size] by the angles of their positions.
Result<void> group_query_attention_rotate(const OperatorCall& call,
                                          const GroupQueryAttentionRequest& r,
                                          GroupQueryAttentionViews inputs, const Integers& before,
                                          const HeadLayout& layout, std::vector<float>& heads) {
  if (r.rotated == 0) return {};
  const RotaryPairs pairs{layout.size, r.rotated, r.is_interleaved};
  const int64_t rows = shape_of(call, kGroupCosines)[0];
  const int64_t half = r.rotated / 2;
  for (int64_t i = 0; i < layout.batch * layout.heads * layout.steps; ++i) {
    const int64_t step = i % layout.steps;
    const int64_t image = i / (layout.steps * layout.heads);
    int64_t position = before[static_cast<size_t>(image)] + step;
    if (has_input(call, kGroupPositions)) {
      position =
          inputs[kGroupPositions].as<int64_t>()[static_cast<size_t>(image * layout.steps + step)];
    }
    if (position < 0 || position >= rows) {
      return misfit(call, fmt::format("position {} is outside {} rows", position, rows));
    }
    float* head = heads.data() + i * layout.size;
    pairs.turn(inputs[kGroupCosines].as<float>().data() + position * half,
               inputs[kGroupSines].as<float>().data() + position * half, head, head);
  }
  return {};
}

/// The cache [batch, heads, present, size] with `now` after what is filled; 0 beyond.
std::vector<float> cache_of(const GroupQueryAttentionRequest& r, GroupQueryAttentionViews inputs,
                            size_t past, const Integers& before, const std::vector<float>& now) {
  const int64_t row = r.key.size;
  std::vector<float> cache(static_cast<size_t>(r.key.batch * r.key.heads * r.present() * row));
  for (int64_t i = 0; i < r.key.batch * r.key.heads; ++i) {
    const int64_t filled = before[static_cast<size_t>(i / r.key.heads)];
    float* to = cache.data() + i * r.present() * row;
    if (filled > 0) {
      to = std::copy_n(inputs[past].as<float>().data() + i * r.past * row, filled * row, to);
    }
    std::copy_n(now.data() + i * r.key.steps * row, r.key.steps * row, to);
  }
  return cache;
}

/// A query sees its own step and those before it, within the window, but no padding.
double bias_at(const OperatorCall& call, const GroupQueryAttentionRequest& r,
               GroupQueryAttentionViews inputs, int64_t position, std::array<int64_t, 4> at) {
  const auto [image, head, query, key] = at;
  const int64_t last = inputs[kGroupLengths].as<int32_t>()[static_cast<size_t>(image)];
  const bool is_seen =
      key <= std::min(position, last) && (r.window < 0 || key > position - r.window);
  if (!is_seen) return kMaskedScore;
  if (!has_input(call, kGroupBias)) return 0;
  const Shape& shape = shape_of(call, kGroupBias);
  const int64_t matrix = (shape[0] == 1 ? 0 : image) * shape[1] + (shape[1] == 1 ? 0 : head);
  return inputs[kGroupBias]
      .as<float>()[static_cast<size_t>((matrix * shape[2] + query) * shape[3] + key)];
}

AttentionReference group_query_attention_reference_of(const OperatorCall& call,
                                                      const GroupQueryAttentionRequest& r,
                                                      GroupQueryAttentionViews inputs,
                                                      const Integers& before) {
  AttentionReference a;
  a.result = r.query;
  a.query = r.query;
  a.query.is_flat = false;
  a.key = {r.key.batch, r.key.heads, r.present(), r.key.size};
  a.value = a.key;
  a.scale = r.scale;
  a.softcap = r.softcap;
  a.bias = [&call, &r, inputs, &before](int64_t image, int64_t head, int64_t query, int64_t key) {
    const int64_t position = before[static_cast<size_t>(image)] + query;
    return bias_at(call, r, inputs, position, {image, head, query, key});
  };
  if (has_input(call, kGroupSink)) {
    a.sink = [inputs](int64_t head) {
      return double{inputs[kGroupSink].as<float>()[static_cast<size_t>(head)]};
    };
  } else if (r.has_smooth_softmax) {
    a.sink = [](int64_t) { return 0.0; };
  }
  return a;
}

Result<void> run_group_query_attention(const OperatorCall& call, GroupQueryAttentionViews inputs,
                                       GroupQueryAttentionViews outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_whole = i == kGroupLengths || i == kGroupTotalLength || i == kGroupPositions;
    if (!is_whole) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const GroupQueryAttentionRequest r, group_query_request(call));
  OPBENCH_TRY(const Integers before, past_lengths(call, r, inputs));
  std::vector<float> queries = group_query_attention_heads_of(r, inputs, kGroupQuery, r.query, 0);
  std::vector<float> keys =
      group_query_attention_heads_of(r, inputs, kGroupKey, r.key, r.query.heads);
  const std::vector<float> values =
      group_query_attention_heads_of(r, inputs, kGroupValue, r.key, r.query.heads + r.key.heads);
  OPBENCH_CHECK(group_query_attention_rotate(call, r, inputs, before, r.query, queries));
  OPBENCH_CHECK(group_query_attention_rotate(call, r, inputs, before, r.key, keys));
  const std::vector<float> all_keys = cache_of(r, inputs, kGroupPastKey, before, keys);
  const std::vector<float> all_values = cache_of(r, inputs, kGroupPastValue, before, values);
  const auto to = [&](size_t index) {
    return index < outputs.size() ? static_cast<float*>(outputs[index].data) : nullptr;
  };
  if (to(1) != nullptr || to(2) != nullptr) OPBENCH_CHECK(check_caches(call, r, inputs));
  if (float* present = to(1)) std::ranges::copy(all_keys, present);
  if (float* present = to(2)) std::ranges::copy(all_values, present);
  AttentionReference attention = group_query_attention_reference_of(call, r, inputs, before);
  attention.queries = queries.data();
  attention.keys = all_keys.data();
  attention.values = all_values.data();
  attend(attention, to(0), nullptr);
  return {};
}

/// Two products for each pair of a query and a key up to it, and 5 for its softmax.
double group_query_attention_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = group_query_request(call);
  if (!r) return 0;
  double pairs = 0;
  for (int64_t i = 0; i < r->query.steps; ++i) {
    const int64_t seen = r->total - r->query.steps + i + 1;
    pairs += static_cast<double>(r->window < 0 ? seen : std::min(seen, r->window));
  }
  pairs *= static_cast<double>(r->query.batch * r->query.heads);
  return pairs * (4.0 * static_cast<double>(r->query.size) + 5);
}

}  // namespace

OperatorDef group_query_attention_operator() {
  return {
      .name = "group_query_attention",
      .summary = "Causal attention of grouped heads that keeps a cache of keys and values",
      .onnx_types = {"GroupQueryAttention"},
      .onnx_domain = "com.microsoft",
      .infer = infer_group_query_attention,
      .flops = group_query_attention_flops,
      .run = run_in_float32<run_group_query_attention>,
      .attributes = {{"do_rotary", int64_t{0}},
                     {"k_quant_type", std::string("NONE")},
                     {"kv_num_heads", int64_t{0}},
                     {"local_window_size", int64_t{-1}},
                     {"num_heads", int64_t{0}},
                     {"rotary_interleaved", int64_t{0}},
                     {"scale", 0.0F},
                     {"smooth_softmax", int64_t{0}},
                     {"softcap", 0.0F},
                     {"v_quant_type", std::string("NONE")}},
      .take_apart = take_apart_group_query,
      .parameters = {kGroupTotalLength},
  };
}

}  // namespace opbench
