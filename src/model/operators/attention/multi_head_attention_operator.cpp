#include <algorithm>

#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/attention/multi_head_request.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

using MultiHeadAttentionViews = std::span<const TensorView>;

using MultiHeadAttentionRequest = MultiHeadRequest;

Result<std::vector<TensorType>> infer_multi_head_attention(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 8));
  OPBENCH_CHECK(require_outputs(call, 4));
  OPBENCH_TRY(const MultiHeadAttentionRequest r, multi_head_request(call));
  const DataType type = call.inputs[kHeadQuery]->data_type;
  std::vector<TensorType> types{
      {type, {r.query.batch, r.query.steps, r.query.heads * r.value.size}},
      {type, {r.key.batch, r.key.heads, r.total(), r.key.size}},
      {type, {r.key.batch, r.key.heads, r.total(), r.value.size}},
      {type, r.mask.scores}};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

double multi_head_attention_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = multi_head_request(call);
  if (!r) return 0;
  const auto pairs = static_cast<double>(element_count(r->mask.scores));
  return pairs * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5);
}

/// Heads [batch, heads, steps, size] of part `part` of `parts` that lie in operand `index`.
std::vector<float> multi_head_attention_part_of(MultiHeadAttentionViews inputs, size_t index,
                                                int64_t part, int64_t parts, const HeadLayout& h) {
  const int64_t head = parts * h.size;
  return copy_heads(inputs[index].as<float>().data() + part * h.size,
                    {h.steps * h.heads * head, head, h.heads * head}, h);
}

struct MultiHeadAttentionOperands {
  std::vector<float> queries, keys, values;
};

MultiHeadAttentionOperands multi_head_attention_operands_of(const OperatorCall& call,
                                                            const MultiHeadAttentionRequest& r,
                                                            MultiHeadAttentionViews inputs) {
  MultiHeadAttentionOperands o;
  if (r.form == HeadForm::kPacked) {
    o = {multi_head_attention_part_of(inputs, kHeadQuery, 0, 3, r.query),
         multi_head_attention_part_of(inputs, kHeadQuery, 1, 3, r.key),
         multi_head_attention_part_of(inputs, kHeadQuery, 2, 3, r.value)};
  } else {
    o.queries = multi_head_attention_part_of(inputs, kHeadQuery, 0, 1, r.query);
    if (r.form == HeadForm::kPackedKeys) {
      o.keys = multi_head_attention_part_of(inputs, kHeadKey, 0, 2, r.key);
      o.values = multi_head_attention_part_of(inputs, kHeadKey, 1, 2, r.value);
    } else {
      o.keys = copy_heads(inputs[kHeadKey].as<float>().data(), strides_of(r.key), r.key);
      o.values = copy_heads(inputs[kHeadValue].as<float>().data(), strides_of(r.value), r.value);
    }
  }
  if (has_input(call, kHeadBias)) {
    const float* bias = inputs[kHeadBias].as<float>().data();
    const int64_t hidden = r.query.heads * r.query.size;
    add_bias(o.queries, r.query, bias);
    if (r.form != HeadForm::kCross) {
      add_bias(o.keys, r.key, bias + hidden);
      add_bias(o.values, r.value, bias + 2 * hidden);
    }
  }
  const auto past = [&](size_t index) {
    return has_input(call, index) ? inputs[index].as<float>().data() : nullptr;
  };
  o.keys = append_heads(past(kHeadPastKey), r.past, o.keys, r.key);
  o.values = append_heads(past(kHeadPastValue), r.past, o.values, r.value);
  return o;
}

Result<void> run_multi_head_attention(const OperatorCall& call, MultiHeadAttentionViews inputs,
                                      MultiHeadAttentionViews outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != kHeadPadding) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const MultiHeadAttentionRequest r, multi_head_request(call));
  const MultiHeadAttentionOperands o = multi_head_attention_operands_of(call, r, inputs);
  AttentionReference a;
  a.result = r.query;
  a.result.size = r.value.size;
  a.query = r.query;
  a.query.is_flat = false;
  a.key = {r.key.batch, r.key.heads, r.total(), r.key.size, false};
  a.value = {r.key.batch, r.key.heads, r.total(), r.value.size, false};
  a.queries = o.queries.data();
  a.keys = o.keys.data();
  a.values = o.values.data();
  a.scale = r.scale;
  a.bias = [&](int64_t image, int64_t head, int64_t query, int64_t key) {
    return head_bias(call, r.mask, inputs, {image, head, query, key});
  };
  const auto to = [&](size_t index) {
    return index < outputs.size() ? static_cast<float*>(outputs[index].data) : nullptr;
  };
  if (float* present = to(1)) std::ranges::copy(o.keys, present);
  if (float* present = to(2)) std::ranges::copy(o.values, present);
  attend(a, to(0), to(3));
  return {};
}

}  // namespace

OperatorDef multi_head_attention_operator() {
  return {
      .name = "multi_head_attention",
      .summary = "Attention of heads that lie apart or packed, with bias, mask and past",
      .onnx_types = {"MultiHeadAttention"},
      .onnx_domain = "com.microsoft",
      .infer = infer_multi_head_attention,
      .flops = multi_head_attention_flops,
      .run = run_in_float32<run_multi_head_attention>,
      .attributes = {{"mask_filter_value", -10000.0F},
                     {"num_heads", int64_t{0}},
                     {"scale", 0.0F},
                     {"unidirectional", int64_t{0}}},
      .take_apart = take_apart_multi_head,
  };
}

}  // namespace opbench
