#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/operators/attention/attention_request.h"
#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// Y in the query's form; keys and values with the past, [batch, heads, steps, size]; the scores.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
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
double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = attention_request(call);
  return r ? pairs_of(*r) * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5) : 0;
}

/// Keys or values with those of the past before them, [batch, heads, total, size].
std::vector<float> with_past(const AttentionRequest& r, const HeadLayout& layout,
                             const TensorView& now, const float* past) {
  std::vector<float> all(static_cast<size_t>(r.key.batch * r.key.heads * r.total() * layout.size));
  float* to = all.data();
  for (int64_t i = 0; i < r.key.batch * r.key.heads; ++i) {
    if (past != nullptr) {
      to = std::copy_n(past + i * r.past * layout.size, r.past * layout.size, to);
    }
    for (int64_t t = 0; t < layout.steps; ++t) {
      const int64_t from = layout.offset(i / r.key.heads, i % r.key.heads, t);
      to = std::copy_n(now.as<float>().data() + from, layout.size, to);
    }
  }
  return all;
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
    if (key > last_key(image, query)) return kMasked;
    if (mask_ == nullptr) return 0;
    if (key >= extent_) return kMasked;
    const auto offset = static_cast<size_t>(image * strides_[0] + head * strides_[1] +
                                            query * strides_[2] + key * step_);
    if (mask_->type.data_type == DataType::kBool) {
      return mask_->as<uint8_t>()[offset] != 0 ? 0 : kMasked;
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

/// Exponentials divided by their sum; all 0 where every key is masked.
void softmax(std::vector<double>& row) {
  const double top = row.empty() ? 0 : std::ranges::max(row);
  double sum = 0;
  for (double& value : row) {
    value = top == kMasked ? 0 : std::exp(value - top);
    sum += value;
  }
  for (double& value : row) value = sum == 0 ? 0 : value / sum;
}

void store_row(const std::vector<double>& row, float* to) {
  if (to == nullptr) return;
  std::ranges::transform(row, to, [](double value) { return static_cast<float>(value); });
}

/// One query's weights over the keys: softmax(softcap(scale q k) + bias), the formula of ONNX
/// Attention. `stages` receives the values of the stage that the call asks for, unless null.
std::vector<double> weights_of(const AttentionRequest& r, const Bias& bias, const float* query,
                               const float* keys, std::array<int64_t, 3> at, float* stages) {
  std::vector<double> row(static_cast<size_t>(r.total()));
  const auto store = [&](int64_t stage) {
    if (stage == r.score_stage) store_row(row, stages);
  };
  for (int64_t j = 0; j < r.total(); ++j) {
    double sum = 0;
    for (int64_t e = 0; e < r.key.size; ++e) {
      sum += static_cast<double>(query[e]) * static_cast<double>(keys[j * r.key.size + e]);
    }
    row[static_cast<size_t>(j)] = sum * r.scale;
  }
  store(0);
  if (r.softcap > 0) {
    for (double& value : row) value = r.softcap * std::tanh(value / r.softcap);
  }
  store(1);
  for (int64_t j = 0; j < r.total(); ++j) {
    row[static_cast<size_t>(j)] += bias.at(at[0], at[1], at[2], j);
  }
  store(2);
  softmax(row);
  store(3);
  return row;
}

/// The values weighed, 0 for those of weight 0.
void weigh(const AttentionRequest& r, const std::vector<double>& weights, const float* values,
           float* y) {
  std::vector<double> sums(static_cast<size_t>(r.value.size));
  for (size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    const float* value = values + static_cast<int64_t>(j) * r.value.size;
    for (size_t e = 0; e < sums.size(); ++e) sums[e] += weights[j] * static_cast<double>(value[e]);
  }
  store_row(sums, y);
}

float* data_of(std::span<const TensorView> views, size_t index) {
  return index < views.size() ? static_cast<float*>(views[index].data) : nullptr;
}

void attend(const AttentionRequest& r, const Bias& bias, const float* query,
            const std::vector<float>& keys, const std::vector<float>& values,
            std::span<const TensorView> outputs) {
  HeadLayout result = r.query;
  result.size = r.value.size;
  float* y = data_of(outputs, 0);
  float* scores = data_of(outputs, 3);
  for (int64_t image = 0; image < r.query.batch; ++image) {
    for (int64_t head = 0; head < r.query.heads; ++head) {
      const int64_t first = (image * r.key.heads + r.key_head(head)) * r.total();
      for (int64_t i = 0; i < r.query.steps; ++i) {
        const int64_t row = (image * r.query.heads + head) * r.query.steps + i;
        const auto weights = weights_of(r, bias, query + r.query.offset(image, head, i),
                                        keys.data() + first * r.key.size, {image, head, i},
                                        scores == nullptr ? nullptr : scores + row * r.total());
        if (y == nullptr) continue;
        weigh(r, weights, values.data() + first * r.value.size, y + result.offset(image, head, i));
      }
    }
  }
}

Result<void> check_lengths(const OperatorCall& call, const AttentionRequest& r,
                           std::span<const TensorView> inputs) {
  if (!has_input(call, kValidLengths)) return {};
  for (const int64_t length : inputs[kValidLengths].as<int64_t>()) {
    if (length >= 0 && length <= r.total()) continue;
    return misfit(call, fmt::format("nonpad_kv_seqlen {} is outside {} steps", length, r.total()));
  }
  return {};
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_whole = i == kValidLengths || inputs[i].type.data_type == DataType::kBool;
    if (!is_whole || i < kMask) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const AttentionRequest r, attention_request(call));
  OPBENCH_CHECK(check_lengths(call, r, inputs));
  const std::vector<float> keys = with_past(r, r.key, inputs[kKey], data_of(inputs, kPastKey));
  const std::vector<float> values =
      with_past(r, r.value, inputs[kValue], data_of(inputs, kPastValue));
  if (float* to = data_of(outputs, 1)) std::ranges::copy(keys, to);
  if (float* to = data_of(outputs, 2)) std::ranges::copy(values, to);
  attend(r, Bias(call, r, inputs), data_of(inputs, kQuery), keys, values, outputs);
  return {};
}

/// Heads go where the shapes have them, the scale where it is the default. The precision of the
/// softmax does not count: the reference is as precise as it can be.
Attributes normal_form(const OperatorCall& call) {
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

int64_t least_opset(const Node&) { return 23; }

}  // namespace

OperatorDef attention_operator() {
  return {
      .name = "attention",
      .summary = "Scaled dot-product attention of any number of heads, with mask and past",
      .onnx_types = {"Attention"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = {{"is_causal", int64_t{0}},
                     {"kv_num_heads", int64_t{0}},
                     {"q_num_heads", int64_t{0}},
                     {"qk_matmul_output_mode", int64_t{0}},
                     {"scale", 0.0F},
                     {"softcap", 0.0F},
                     {"softmax_precision", int64_t{0}}},
      .domains = {{"Attention", kValidLengths, {0, 1}}},
      .least_opset = least_opset,
  };
}

}  // namespace opbench
