#include <algorithm>

#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/attention/packed_request.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/matrix_product.h"

namespace opbench {
namespace {

using PackedAttentionViews = std::span<const TensorView>;

using PackedAttentionRequest = PackedRequest;

/// The result, and keys and values together with those of the past.
Result<std::vector<TensorType>> infer_packed_attention(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 6));
  OPBENCH_CHECK(require_outputs(call, 2));
  OPBENCH_TRY(const PackedAttentionRequest r, packed_request(call));
  const DataType type = call.inputs[kPackedInput]->data_type;
  std::vector<TensorType> types{{type, {r.key.batch, r.key.steps, r.value.heads * r.value.size}},
                                {type, {2, r.key.batch, r.key.heads, r.total(), r.key.size}}};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

double packed_attention_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = packed_request(call);
  if (!r) return 0;
  const auto rows = static_cast<double>(r->key.batch * r->key.steps);
  const auto pairs = static_cast<double>(element_count(r->mask.scores));
  return 2 * rows * static_cast<double>(r->hidden * r->columns()) +
         pairs * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5);
}

/// Input times weights plus bias: rows of queries, keys and values.
std::vector<float> packed_attention_projected(const OperatorCall& call,
                                              const PackedAttentionRequest& r,
                                              PackedAttentionViews inputs) {
  const int64_t rows = r.key.batch * r.key.steps;
  const int64_t columns = r.columns();
  std::vector<float> y(static_cast<size_t>(rows * columns));
  matrix_product({inputs[kPackedInput].as<float>().data(), r.hidden, 1},
                 {inputs[kPackedWeights].as<float>().data(), columns, 1}, y.data(), columns, rows,
                 columns, r.hidden);
  if (!has_input(call, kPackedBias)) return y;
  const auto bias = inputs[kPackedBias].as<float>();
  for (size_t i = 0; i < y.size(); ++i) y[i] += bias[i % bias.size()];
  return y;
}

Result<void> run_packed_attention(const OperatorCall& call, PackedAttentionViews inputs,
                                  PackedAttentionViews outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != kPackedPadding) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const PackedAttentionRequest r, packed_request(call));
  const std::vector<float> rows = packed_attention_projected(call, r, inputs);
  const int64_t hidden = r.key.heads * r.key.size;
  const auto heads = [&](int64_t first, const HeadLayout& layout) {
    return copy_heads(rows.data() + first, {r.key.steps * r.columns(), layout.size, r.columns()},
                      layout);
  };
  const float* past =
      has_input(call, kPackedPast) ? inputs[kPackedPast].as<float>().data() : nullptr;
  const int64_t past_keys = r.key.batch * hidden * r.past;
  const std::vector<float> queries = heads(0, r.key);
  const std::vector<float> keys = append_heads(past, r.past, heads(hidden, r.key), r.key);
  const std::vector<float> values = append_heads(past == nullptr ? nullptr : past + past_keys,
                                                 r.past, heads(2 * hidden, r.value), r.value);
  if (outputs.size() > 1 && outputs[1].data != nullptr) {
    float* present = outputs[1].as<float>().data();
    std::ranges::copy(values, std::ranges::copy(keys, present).out);
  }
  AttentionReference a;
  a.result = r.value;
  a.query = r.key;
  a.query.is_flat = false;
  a.key = {r.key.batch, r.key.heads, r.total(), r.key.size, false};
  a.value = {r.key.batch, r.key.heads, r.total(), r.value.size, false};
  a.queries = queries.data();
  a.keys = keys.data();
  a.values = values.data();
  a.scale = r.scale;
  a.bias = [&](int64_t image, int64_t head, int64_t query, int64_t key) {
    return head_bias(call, r.mask, inputs, {image, head, query, key});
  };
  attend(a, static_cast<float*>(outputs[0].data), nullptr);
  return {};
}

}  // namespace

OperatorDef packed_attention_operator() {
  return {
      .name = "packed_attention",
      .summary = "Attention with the product that makes queries, keys and values of its input",
      .onnx_types = {"Attention"},
      .onnx_domain = "com.microsoft",
      .infer = infer_packed_attention,
      .flops = packed_attention_flops,
      .run = run_in_float32<run_packed_attention>,
      .attributes = {{"mask_filter_value", -10000.0F},
                     {"num_heads", int64_t{0}},
                     {"qkv_hidden_sizes", std::vector<int64_t>()},
                     {"scale", 0.0F},
                     {"unidirectional", int64_t{0}}},
      .take_apart = take_apart_packed,
  };
}

}  // namespace opbench
