#include "model/operators/attention/group_query_request.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace opbench {
namespace {

using GroupQueryRequestRequest = GroupQueryRequest;

Error group_query_request_unfit(const OperatorCall& call, size_t index, const char* name,
                                const Shape& wanted) {
  return misfit(call, fmt::format("{} {} is not {}", name, shape_text(shape_of(call, index)),
                                  shape_text(wanted)));
}

Result<void> require_shape(const OperatorCall& call, size_t index, const char* name,
                           const Shape& wanted) {
  if (!has_input(call, index) || shape_of(call, index) == wanted) return {};
  return group_query_request_unfit(call, index, name, wanted);
}

Result<void> read_group_query_request_heads(const OperatorCall& call, GroupQueryRequestRequest& r) {
  const int64_t heads = int_attribute(*call.node, "num_heads", 0);
  const int64_t key_heads = int_attribute(*call.node, "kv_num_heads", 0);
  if (heads < 1 || key_heads < 1 || heads % key_heads != 0) {
    return misfit(call,
                  fmt::format("kv_num_heads {} does not divide num_heads {}", key_heads, heads));
  }
  if (has_input(call, kGroupKey) != has_input(call, kGroupValue)) {
    return misfit(call, "key and value go together");
  }
  OPBENCH_CHECK(require_rank(call, kGroupQuery, 3, 3));
  r.is_packed = !has_input(call, kGroupKey);
  const Shape& query = shape_of(call, kGroupQuery);
  const int64_t parts = r.is_packed ? heads + 2 * key_heads : heads;
  if (query[2] % parts != 0) {
    return misfit(call, fmt::format("{} heads do not divide the last extent of query {}", parts,
                                    shape_text(query)));
  }
  const int64_t size = query[2] / parts;
  r.query = {query[0], heads, query[1], size, true};
  r.key = {query[0], key_heads, query[1], size, true};
  const Shape wanted{query[0], query[1], key_heads * size};
  OPBENCH_CHECK(require_shape(call, kGroupKey, "key", wanted));
  return require_shape(call, kGroupValue, "value", wanted);
}

Result<void> read_cache(const OperatorCall& call, GroupQueryRequestRequest& r) {
  if (has_input(call, kGroupPastKey) != has_input(call, kGroupPastValue)) {
    return misfit(call, "past_key and past_value go together");
  }
  if (has_input(call, kGroupPastKey)) {
    OPBENCH_CHECK(require_rank(call, kGroupPastKey, 4, 4));
    r.past = shape_of(call, kGroupPastKey)[2];
    const Shape wanted{r.key.batch, r.key.heads, r.past, r.key.size};
    OPBENCH_CHECK(require_shape(call, kGroupPastKey, "past_key", wanted));
    OPBENCH_CHECK(require_shape(call, kGroupPastValue, "past_value", wanted));
  }
  const bool has_lengths = call.inputs[kGroupLengths]->data_type == DataType::kInt32 &&
                           element_count(shape_of(call, kGroupLengths)) == r.query.batch;
  if (!has_lengths)
    return group_query_request_unfit(call, kGroupLengths, "seqlens_k", {r.query.batch});
  if (!has_input(call, kGroupTotalLength)) return misfit(call, "total_sequence_length is missing");
  if (call.constants[kGroupTotalLength] == nullptr) {
    if (call.inputs[kGroupTotalLength]->size() != 1) {
      return group_query_request_unfit(call, kGroupTotalLength, "total_sequence_length", {});
    }
    r.total = r.past + r.query.steps;
    return {};
  }
  OPBENCH_TRY(const Integers total,
              known_integers(call, kGroupTotalLength, "total_sequence_length"));
  if (total.size() != 1 || total[0] < r.query.steps || total[0] > r.past + r.query.steps) {
    return misfit(call, fmt::format("total_sequence_length {} is not one number from {} to {}",
                                    fmt::join(total, ","), r.query.steps, r.past + r.query.steps));
  }
  r.total = total[0];
  return {};
}

Result<void> read_rotation(const OperatorCall& call, GroupQueryRequestRequest& r) {
  if (int_attribute(*call.node, "do_rotary", 0) == 0) return {};
  if (!has_input(call, kGroupCosines) || !has_input(call, kGroupSines)) {
    return misfit(call, "do_rotary needs cos_cache and sin_cache");
  }
  OPBENCH_CHECK(require_rank(call, kGroupCosines, 2, 2));
  const Shape& cache = shape_of(call, kGroupCosines);
  OPBENCH_CHECK(require_shape(call, kGroupSines, "sin_cache", cache));
  r.rotated = 2 * cache[1];
  if (r.rotated < 1 || r.rotated > r.query.size) {
    return misfit(call, fmt::format("cos_cache {} does not fit heads of {}", shape_text(cache),
                                    r.query.size));
  }
  r.is_interleaved = int_attribute(*call.node, "rotary_interleaved", 0) != 0;
  return require_shape(call, kGroupPositions, "position_ids", {r.query.batch, r.query.steps});
}

Result<void> read_scores(const OperatorCall& call, GroupQueryRequestRequest& r) {
  const double given = float_attribute(*call.node, "scale", 0.0F);
  r.scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(r.query.size));
  r.softcap = float_attribute(*call.node, "softcap", 0.0F);
  r.window = int_attribute(*call.node, "local_window_size", -1);
  r.has_smooth_softmax = int_attribute(*call.node, "smooth_softmax", 0) == 1;
  if (has_input(call, kGroupBias)) {
    OPBENCH_CHECK(require_rank(call, kGroupBias, 4, 4));
    const Shape& bias = shape_of(call, kGroupBias);
    const bool fits = (bias[0] == 1 || bias[0] == r.query.batch) &&
                      (bias[1] == 1 || bias[1] == r.query.heads) && bias[2] == r.query.steps &&
                      bias[3] >= r.total;
    if (!fits) {
      return group_query_request_unfit(call, kGroupBias, "attention_bias",
                                       {r.query.batch, r.query.heads, r.query.steps, r.total});
    }
  }
  return require_shape(call, kGroupSink, "head_sink", {r.query.heads});
}

}  // namespace

Result<GroupQueryRequest> group_query_request(const OperatorCall& call) {
  for (const char* name : {"k_quant_type", "v_quant_type"}) {
    OPBENCH_CHECK(choice_attribute(call, name, "NONE", {"NONE"}));
  }
  GroupQueryRequestRequest request;
  OPBENCH_CHECK(read_group_query_request_heads(call, request));
  OPBENCH_CHECK(read_cache(call, request));
  OPBENCH_CHECK(read_rotation(call, request));
  OPBENCH_CHECK(read_scores(call, request));
  return request;
}

}  // namespace opbench
