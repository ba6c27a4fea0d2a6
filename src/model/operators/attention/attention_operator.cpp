#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/attention/attention_apart.h"
#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/attention_request.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

/// Y in the query's form; keys and values with the past, [batch, heads, steps, size]; the scores.
Result<std::vector<TensorType>> infer_attention(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 7));
  OPBENCH_CHECK(require_outputs(call, 4));
  OPBENCH_TRY(const AttentionRequest r, attention_request(call));
  Shape y{r.query.batch, r.query.heads, r.query.steps, r.value.size};
  if (r.query.is_flat) y = {r.query.batch, r.query.steps, r.query.heads * r.value.size};
  std::vector<TensorType> types{
      {call.inputs[kQuery]->data_type, y},
      {call.inputs[kKey]->data_type, {r.key.batch, r.key.heads, r.total(), r.key.size}},
      {call.inputs[kValue]->data_type, {r.key.batch, r.key.heads, r.total(), r.value.size}},
      {call.inputs[kQuery]->data_type, r.scores()}};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

/// Pairs of a query and a key that it may attend to, as far as causality says.
double pairs_of(const AttentionRequest& r) {
  int64_t pairs = r.query.steps * r.total();
  for (int64_t i = 0; i < r.query.steps && r.is_causal; ++i) {
    pairs -= std::max<int64_t>(0, r.total() - (i + r.past + 1));
  }
  return static_cast<double>(r.query.batch * r.query.heads * pairs);
}

/// Two products for each pair, 2 for every multiply-add, and 5 for its softmax.
double attention_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = attention_request(call);
  return r ? pairs_of(*r) * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5) : 0;
}

/// What is added to the scores: the mask's rows (numbers, or booleans where true attends), and
/// minus infinity for keys that come later or are padding.
class Bias {
 public:
  Bias(const OperatorCall& call, const AttentionRequest& r, std::span<const TensorView> inputs)
      : r_(r) {
    if (has_input(call, kValidLengths)) lengths_ = inputs[kValidLengths].as<int64_t>();
    if (!has_input(call, kMask)) return;
    mask_ = &inputs[kMask];
    const Shape& shape = mask_->type.shape;
    extent_ = mask_extent(call, r);
    strides_ = broadcast_strides({shape.begin(), shape.end() - 1},
                                 {r.query.batch, r.query.heads, r.query.steps});
    for (int64_t& stride : strides_) stride *= shape.back();
    step_ = shape.back() == 1 ? 0 : 1;
  }

  double at(int64_t image, int64_t head, int64_t query, int64_t key) const {
    if (key > last_key(image, query)) return kMaskedScore;
    if (mask_ == nullptr) return 0;
    if (key >= extent_) return kMaskedScore;
    const auto offset = static_cast<size_t>(image * strides_[0] + head * strides_[1] +
                                            query * strides_[2] + key * step_);
    if (mask_->type.data_type == DataType::kBool) {
      return mask_->as<uint8_t>()[offset] != 0 ? 0 : kMaskedScore;
    }
    return static_cast<double>(mask_->as<float>()[offset]);
  }

 private:
  /// Of what is no padding and, where the order counts, does not come after the query. Queries are
  /// the last steps of what is no padding.
  int64_t last_key(int64_t image, int64_t query) const {
    const int64_t length = lengths_.empty() ? r_.total() : lengths_[static_cast<size_t>(image)];
    const int64_t before = lengths_.empty() ? r_.past : length - r_.query.steps;
    return r_.is_causal ? std::min(length - 1, query + before) : length - 1;
  }

  const AttentionRequest& r_;
  const TensorView* mask_ = nullptr;
  std::span<const int64_t> lengths_;
  Integers strides_;
  int64_t extent_ = 0;
  int64_t step_ = 0;
};

float* data_of(std::span<const TensorView> views, size_t index) {
  return index < views.size() ? static_cast<float*>(views[index].data) : nullptr;
}

/// Over keys and values with the past before them.
AttentionReference attention_reference_of(const AttentionRequest& r, const Bias& bias,
                                          const float* queries, const std::vector<float>& keys,
                                          const std::vector<float>& values) {
  AttentionReference a;
  a.query = a.result = r.query;
  a.result.size = r.value.size;
  a.key = {r.key.batch, r.key.heads, r.total(), r.key.size};
  a.value = {r.key.batch, r.key.heads, r.total(), r.value.size};
  a.queries = queries;
  a.keys = keys.data();
  a.values = values.data();
  a.scale = r.scale;
  a.softcap = r.softcap;
  a.score_stage = r.score_stage;
  a.bias = [&bias](int64_t image, int64_t head, int64_t query, int64_t key) {
    return bias.at(image, head, query, key);
  };
  return a;
}

Result<void> check_attention_lengths(const OperatorCall& call, const AttentionRequest& r,
                                     std::span<const TensorView> inputs) {
  if (!has_input(call, kValidLengths)) return {};
  for (const int64_t length : inputs[kValidLengths].as<int64_t>()) {
    if (length >= 0 && length <= r.total()) continue;
    return misfit(call, fmt::format("nonpad_kv_seqlen {} is outside {} steps", length, r.total()));
  }
  return {};
}

Result<void> run_attention(const OperatorCall& call, std::span<const TensorView> inputs,
                           std::span<const TensorView> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_whole = i == kValidLengths || inputs[i].type.data_type == DataType::kBool;
    if (!is_whole || i < kMask) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const AttentionRequest r, attention_request(call));
  OPBENCH_CHECK(check_attention_lengths(call, r, inputs));
  const auto with_past = [&](const HeadLayout& layout, size_t now, size_t past) {
    return append_heads(data_of(inputs, past), r.past,
                        copy_heads(data_of(inputs, now), strides_of(layout), layout), layout);
  };
  const std::vector<float> keys = with_past(r.key, kKey, kPastKey);
  const std::vector<float> values = with_past(r.value, kValue, kPastValue);
  if (float* to = data_of(outputs, 1)) std::ranges::copy(keys, to);
  if (float* to = data_of(outputs, 2)) std::ranges::copy(values, to);
  const Bias bias(call, r, inputs);
  attend(attention_reference_of(r, bias, data_of(inputs, kQuery), keys, values),
         data_of(outputs, 0), data_of(outputs, 3));
  return {};
}

/// Heads go where the shapes have them, the scale where it is the default. The precision of the
/// softmax does not count: the reference is as precise as it can be.
Attributes attention_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto r = attention_request(call);
  if (!r) return result;
  if (r->is_causal) result["is_causal"] = int64_t{1};
  if (r->query.is_flat) {
    result["q_num_heads"] = r->query.heads;
    result["kv_num_heads"] = r->key.heads;
  }
  if (r->score_stage != 0 && call.node->outputs.size() > 3) {
    result["qk_matmul_output_mode"] = r->score_stage;
  }
  const auto scale = static_cast<float>(r->scale);
  const auto usual = static_cast<float>(1 / std::sqrt(static_cast<double>(r->query.size)));
  if (scale != usual) result["scale"] = scale;
  if (r->softcap != 0) result["softcap"] = static_cast<float>(r->softcap);
  return result;
}

int64_t attention_least_opset(const Node&) { return 23; }

}  // namespace

OperatorDef attention_operator() {
  return {
      .name = "attention",
      .summary = "Scaled dot-product attention of any number of heads, with mask and past",
      .onnx_types = {"Attention"},
      .infer = infer_attention,
      .flops = attention_flops,
      .run = run_in_float32<run_attention>,
      .normal_form = attention_normal_form,
      .attributes = {{"is_causal", int64_t{0}},
                     {"kv_num_heads", int64_t{0}},
                     {"q_num_heads", int64_t{0}},
                     {"qk_matmul_output_mode", int64_t{0}},
                     {"scale", 0.0F},
                     {"softcap", 0.0F},
                     {"softmax_precision", int64_t{0}}},
      .take_apart = take_apart_attention,
      .domains = {{"Attention", kValidLengths, {0, 1}}},
      .least_opset = attention_least_opset,
  };
}

}  // namespace opbench
