#include "model/operators/attention/attention_request.h"

#include <fmt/format.h>

#include <cmath>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

Result<void> check_heads(const OperatorCall& call, const AttentionRequest& r) {
  const bool is_one_rank = rank_of(call, kQuery) == rank_of(call, kKey) &&
                           rank_of(call, kQuery) == rank_of(call, kValue);
  const bool fits = is_one_rank && r.query.batch == r.key.batch && r.query.batch == r.value.batch &&
                    r.key.heads == r.value.heads && r.key.steps == r.value.steps &&
                    r.query.size == r.key.size;
  if (!fits) {
    return misfit(call,
                  fmt::format("query {}, key {} and value {} do not fit together",
                              shape_text(shape_of(call, kQuery)), shape_text(shape_of(call, kKey)),
                              shape_text(shape_of(call, kValue))));
  }
  if (r.key.heads > 0 && r.query.heads % r.key.heads == 0) return {};
  return misfit(call, fmt::format("{} heads of keys do not divide {}", r.key.heads, r.query.heads));
}

Result<int64_t> past_steps(const OperatorCall& call, const AttentionRequest& r) {
  if (has_input(call, kPastKey) != has_input(call, kPastValue)) {
    return misfit(call, "past_key and past_value go together");
  }
  if (!has_input(call, kPastKey)) return int64_t{0};
  OPBENCH_CHECK(require_rank(call, kPastKey, 4, 4));
  const int64_t steps = shape_of(call, kPastKey)[2];
  const Shape keys{r.key.batch, r.key.heads, steps, r.key.size};
  const Shape values{r.key.batch, r.key.heads, steps, r.value.size};
  if (shape_of(call, kPastKey) != keys || shape_of(call, kPastValue) != values) {
    return misfit(call, fmt::format("past_key {} and past_value {} are not {} and {}",
                                    shape_text(shape_of(call, kPastKey)),
                                    shape_text(shape_of(call, kPastValue)), shape_text(keys),
                                    shape_text(values)));
  }
  return steps;
}

Result<void> check_mask(const OperatorCall& call, const AttentionRequest& r) {
  if (!has_input(call, kMask)) return {};
  OPBENCH_CHECK(require_rank(call, kMask, 2, 4));
  const Shape& mask = shape_of(call, kMask);
  const Shape rows{r.query.batch, r.query.heads, r.query.steps};
  OPBENCH_TRY(const Shape together, broadcast(call, {mask.begin(), mask.end() - 1}, rows));
  if (together == rows && mask_extent(call, r) <= r.total()) return {};
  return misfit(call, fmt::format("mask {} does not fit scores {}", shape_text(mask),
                                  shape_text(r.scores())));
}

Result<void> check_attention_request_lengths(const OperatorCall& call, const AttentionRequest& r) {
  if (!has_input(call, kValidLengths)) return {};
  if (has_input(call, kPastKey)) return misfit(call, "nonpad_kv_seqlen excludes past_key");
  const TensorType& type = *call.inputs[kValidLengths];
  if (type.data_type == DataType::kInt64 && type.shape == Shape{r.query.batch}) return {};
  return misfit(call, fmt::format("nonpad_kv_seqlen {}:{} is not {}:int64", shape_text(type.shape),
                                  name_of(type.data_type), r.query.batch));
}

Result<void> read_attributes(const OperatorCall& call, AttentionRequest& request) {
  request.is_causal = int_attribute(*call.node, "is_causal", 0) != 0;
  request.softcap = float_attribute(*call.node, "softcap", 0.0F);
  if (!(request.softcap >= 0)) {
    return misfit(call, fmt::format("softcap {} is below 0", request.softcap));
  }
  request.scale = 1 / std::sqrt(static_cast<double>(request.query.size));
  if (call.node->attributes.contains("scale")) {
    request.scale = float_attribute(*call.node, "scale", 1.0F);
  }
  request.score_stage = int_attribute(*call.node, "qk_matmul_output_mode", 0);
  if (request.score_stage >= 0 && request.score_stage <= 3) return {};
  return misfit(call, fmt::format("qk_matmul_output_mode {} is not 0 to 3", request.score_stage));
}

}  // namespace

int64_t mask_extent(const OperatorCall& call, const AttentionRequest& request) {
  const int64_t extent = shape_of(call, kMask).back();
  return extent == 1 && call.opset < 24 ? request.total() : extent;
}

Result<AttentionRequest> attention_request(const OperatorCall& call) {
  AttentionRequest request;
  OPBENCH_TRY(request.query, head_layout(call, kQuery, "q_num_heads"));
  OPBENCH_TRY(request.key, head_layout(call, kKey, "kv_num_heads"));
  OPBENCH_TRY(request.value, head_layout(call, kValue, "kv_num_heads"));
  OPBENCH_CHECK(check_heads(call, request));
  OPBENCH_TRY(request.past, past_steps(call, request));
  OPBENCH_CHECK(check_mask(call, request));
  OPBENCH_CHECK(check_attention_request_lengths(call, request));
  OPBENCH_CHECK(read_attributes(call, request));
  return request;
}

}  // namespace opbench
