#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/attention/head_mask.h"
#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/matrix_product.h"

namespace opbench {
namespace {

using Views = std::span<const TensorView>;

enum Input : size_t { kInput, kWeights, kBias, kPadding, kPast, kScoreBias };

struct Request {
  HeadLayout key;      ///< flat; of queries too
  HeadLayout value;    ///< flat
  int64_t hidden = 0;  ///< elements of a step of the input
  int64_t past = 0;
  double scale = 1;
  HeadMask mask;

  int64_t total() const { return past + key.steps; }
  int64_t columns() const { return key.heads * (2 * key.size + value.size); }
};

/// The widths of queries, keys and values: those of `qkv_hidden_sizes`, or a third each.
Result<void> read_heads(const OperatorCall& call, Request& r) {
  OPBENCH_CHECK(require_rank(call, kInput, 3, 3));
  OPBENCH_CHECK(require_rank(call, kWeights, 2, 2));
  const Shape& x = shape_of(call, kInput);
  const Shape& w = shape_of(call, kWeights);
  const int64_t heads = int_attribute(*call.node, "num_heads", 0);
  Integers widths = ints_attribute(*call.node, "qkv_hidden_sizes", {});
  if (widths.empty()) widths.assign(3, w[1] / 3);
  const bool fits = heads > 0 && widths.size() == 3 && widths[0] == widths[1] &&
                    widths[0] + widths[1] + widths[2] == w[1] && widths[0] % heads == 0 &&
                    widths[2] % heads == 0 && w[0] == x[2] &&
                    (!has_input(call, kBias) || shape_of(call, kBias) == Shape{w[1]});
  if (!fits) {
    return misfit(call, fmt::format("input {}, weights {} and widths {} do not fit {} heads",
                                    shape_text(x), shape_text(w), fmt::join(widths, ","), heads));
  }
  r.hidden = x[2];
  r.key = {x[0], heads, x[1], widths[0] / heads, true};
  r.value = {x[0], heads, x[1], widths[2] / heads, true};
  return {};
}

Result<Request> request_of(const OperatorCall& call) {
  if (int_attribute(*call.node, "do_rotary", 0) != 0) return misfit(call, "do_rotary is not known");
  Request r;
  OPBENCH_CHECK(read_heads(call, r));
  if (has_input(call, kPast)) {
    OPBENCH_CHECK(require_rank(call, kPast, 5, 5));
    r.past = shape_of(call, kPast)[3];
    const Shape wanted{2, r.key.batch, r.key.heads, r.past, r.key.size};
    if (shape_of(call, kPast) != wanted || r.value.size != r.key.size) {
      return misfit(call, fmt::format("past {} is not {}", shape_text(shape_of(call, kPast)),
                                      shape_text(wanted)));
    }
  }
  const double given = float_attribute(*call.node, "scale", 0.0F);
  r.scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(r.key.size));
  r.mask = {.padding = kPadding,
            .bias = kScoreBias,
            .scores = {r.key.batch, r.key.heads, r.key.steps, r.total()},
            .past = r.past,
            .is_causal = int_attribute(*call.node, "unidirectional", 0) != 0,
            .hidden = float_attribute(*call.node, "mask_filter_value", -10000.0F)};
  OPBENCH_CHECK(check_head_mask(call, r.mask));
  return r;
}

/// The result, and keys and values together with those of the past.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 6));
  OPBENCH_CHECK(require_outputs(call, 2));
  OPBENCH_TRY(const Request r, request_of(call));
  const DataType type = call.inputs[kInput]->data_type;
  std::vector<TensorType> types{{type, {r.key.batch, r.key.steps, r.value.heads * r.value.size}},
                                {type, {2, r.key.batch, r.key.heads, r.total(), r.key.size}}};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = request_of(call);
  if (!r) return 0;
  const auto rows = static_cast<double>(r->key.batch * r->key.steps);
  const auto pairs = static_cast<double>(element_count(r->mask.scores));
  return 2 * rows * static_cast<double>(r->hidden * r->columns()) +
         pairs * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5);
}

/// Input times weights plus bias: rows of queries, keys and values.
std::vector<float> projected(const OperatorCall& call, const Request& r, Views inputs) {
  const int64_t rows = r.key.batch * r.key.steps;
  const int64_t columns = r.columns();
  std::vector<float> y(static_cast<size_t>(rows * columns));
  matrix_product({inputs[kInput].as<float>().data(), r.hidden, 1},
                 {inputs[kWeights].as<float>().data(), columns, 1}, y.data(), columns, rows,
                 columns, r.hidden);
  if (!has_input(call, kBias)) return y;
  const auto bias = inputs[kBias].as<float>();
  for (size_t i = 0; i < y.size(); ++i) y[i] += bias[i % bias.size()];
  return y;
}

Result<void> run(const OperatorCall& call, Views inputs, Views outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != kPadding) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const Request r, request_of(call));
  const std::vector<float> rows = projected(call, r, inputs);
  const int64_t hidden = r.key.heads * r.key.size;
  const auto heads = [&](int64_t first, const HeadLayout& layout) {
    return copy_heads(rows.data() + first, {r.key.steps * r.columns(), layout.size, r.columns()},
                      layout);
  };
  const float* past = has_input(call, kPast) ? inputs[kPast].as<float>().data() : nullptr;
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
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .attributes = {{"mask_filter_value", -10000.0F},
                     {"num_heads", int64_t{0}},
                     {"qkv_hidden_sizes", std::vector<int64_t>()},
                     {"scale", 0.0F},
                     {"unidirectional", int64_t{0}}},
  };
}

}  // namespace opbench
