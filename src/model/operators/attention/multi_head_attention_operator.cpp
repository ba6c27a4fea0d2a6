#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/attention/attention_reference.h"
#include "model/operators/attention/head_copy.h"
#include "model/operators/attention/head_mask.h"
#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"

namespace opbench {
namespace {

using Views = std::span<const TensorView>;

enum Input : size_t { kQuery, kKey, kValue, kBias, kPadding, kScoreBias, kPastKey, kPastValue };

/// The forms of query, key and value.
enum class Form {
  kApart,       ///< each [batch, steps, heads size]
  kCross,       ///< key and value [batch, heads, steps, size]
  kPackedKeys,  ///< key and value in key, [batch, steps, heads, 2, size]
  kPacked,      ///< all in query, [batch, steps, heads, 3, size]
};

struct Request {
  Form form = Form::kApart;
  HeadLayout query, key, value;  ///< extents; the query flat as the result is
  int64_t past = 0;
  double scale = 1;
  HeadMask mask;

  int64_t total() const { return past + key.steps; }
};

Form form_of(const OperatorCall& call) {
  if (!has_input(call, kKey)) return Form::kPacked;
  if (!has_input(call, kValue)) return Form::kPackedKeys;
  return rank_of(call, kKey) == 4 ? Form::kCross : Form::kApart;
}

Error no_fit(const OperatorCall& call) {
  std::vector<std::string> shapes;
  for (const size_t i : {kQuery, kKey, kValue}) {
    shapes.push_back(has_input(call, i) ? shape_text(shape_of(call, i)) : "none");
  }
  return misfit(call, fmt::format("query {}, key {} and value {} do not fit {} heads", shapes[0],
                                  shapes[1], shapes[2], int_attribute(*call.node, "num_heads", 0)));
}

/// Of a flat operand [batch, steps, heads size].
Result<HeadLayout> flat_heads(const OperatorCall& call, size_t index, int64_t heads) {
  const Shape& shape = shape_of(call, index);
  if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0) return no_fit(call);
  return HeadLayout{shape[0], heads, shape[1], shape[2] / heads, true};
}

Result<void> read_heads(const OperatorCall& call, Request& r) {
  const int64_t heads = int_attribute(*call.node, "num_heads", 0);
  r.form = form_of(call);
  if (r.form == Form::kPacked) {
    const Shape& x = shape_of(call, kQuery);
    if (x.size() != 5 || x[2] != heads || x[3] != 3) return no_fit(call);
    r.query = r.key = r.value = {x[0], heads, x[1], x[4], true};
    return {};
  }
  OPBENCH_TRY(r.query, flat_heads(call, kQuery, heads));
  const Shape& k = shape_of(call, kKey);
  if (r.form == Form::kPackedKeys) {
    if (k.size() != 5 || k[2] != heads || k[3] != 2) return no_fit(call);
    r.key = r.value = {k[0], heads, k[1], k[4], true};
  } else if (r.form == Form::kCross) {
    const Shape& v = shape_of(call, kValue);
    if (v.size() != 4 || k[1] != heads || v[1] != heads) return no_fit(call);
    r.key = {k[0], heads, k[2], k[3], false};
    r.value = {v[0], heads, v[2], v[3], false};
  } else {
    OPBENCH_TRY(r.key, flat_heads(call, kKey, heads));
    OPBENCH_TRY(r.value, flat_heads(call, kValue, heads));
  }
  const bool fits = r.query.batch == r.key.batch && r.key.batch == r.value.batch &&
                    r.query.size == r.key.size && r.key.steps == r.value.steps;
  if (!fits) return no_fit(call);
  return {};
}

Result<void> read_past(const OperatorCall& call, Request& r) {
  if (has_input(call, kPastKey) != has_input(call, kPastValue)) {
    return misfit(call, "past_key and past_value go together");
  }
  if (!has_input(call, kPastKey)) return {};
  OPBENCH_CHECK(require_rank(call, kPastKey, 4, 4));
  r.past = shape_of(call, kPastKey)[2];
  const Shape keys{r.key.batch, r.key.heads, r.past, r.key.size};
  const Shape values{r.key.batch, r.key.heads, r.past, r.value.size};
  if (shape_of(call, kPastKey) == keys && shape_of(call, kPastValue) == values) return {};
  return misfit(call, fmt::format("past_key {} and past_value {} are not {} and {}",
                                  shape_text(shape_of(call, kPastKey)),
                                  shape_text(shape_of(call, kPastValue)), shape_text(keys),
                                  shape_text(values)));
}

Result<Request> request_of(const OperatorCall& call) {
  Request r;
  OPBENCH_CHECK(read_heads(call, r));
  OPBENCH_CHECK(read_past(call, r));
  const Shape bias{r.query.heads * (2 * r.query.size + r.value.size)};
  if (has_input(call, kBias) && shape_of(call, kBias) != bias) {
    return misfit(call, fmt::format("bias {} is not {}", shape_text(shape_of(call, kBias)),
                                    shape_text(bias)));
  }
  const double given = float_attribute(*call.node, "scale", 0.0F);
  r.scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(r.query.size));
  r.mask = {.padding = kPadding,
            .bias = kScoreBias,
            .scores = {r.query.batch, r.query.heads, r.query.steps, r.total()},
            .past = r.past,
            .is_causal = int_attribute(*call.node, "unidirectional", 0) != 0,
            .hidden = float_attribute(*call.node, "mask_filter_value", -10000.0F)};
  OPBENCH_CHECK(check_head_mask(call, r.mask));
  return r;
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 8));
  OPBENCH_CHECK(require_outputs(call, 4));
  OPBENCH_TRY(const Request r, request_of(call));
  const DataType type = call.inputs[kQuery]->data_type;
  std::vector<TensorType> types{
      {type, {r.query.batch, r.query.steps, r.query.heads * r.value.size}},
      {type, {r.key.batch, r.key.heads, r.total(), r.key.size}},
      {type, {r.key.batch, r.key.heads, r.total(), r.value.size}},
      {type, r.mask.scores}};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = request_of(call);
  if (!r) return 0;
  const auto pairs = static_cast<double>(element_count(r->mask.scores));
  return pairs * (2.0 * static_cast<double>(r->key.size + r->value.size) + 5);
}

/// Heads [batch, heads, steps, size] of part `part` of `parts` that lie in operand `index`.
std::vector<float> part_of(Views inputs, size_t index, int64_t part, int64_t parts,
                           const HeadLayout& h) {
  const int64_t head = parts * h.size;
  return copy_heads(inputs[index].as<float>().data() + part * h.size,
                    {h.steps * h.heads * head, head, h.heads * head}, h);
}

struct Operands {
  std::vector<float> queries, keys, values;
};

Operands operands_of(const OperatorCall& call, const Request& r, Views inputs) {
  Operands o;
  if (r.form == Form::kPacked) {
    o = {part_of(inputs, kQuery, 0, 3, r.query), part_of(inputs, kQuery, 1, 3, r.key),
         part_of(inputs, kQuery, 2, 3, r.value)};
  } else {
    o.queries = part_of(inputs, kQuery, 0, 1, r.query);
    if (r.form == Form::kPackedKeys) {
      o.keys = part_of(inputs, kKey, 0, 2, r.key);
      o.values = part_of(inputs, kKey, 1, 2, r.value);
    } else {
      o.keys = copy_heads(inputs[kKey].as<float>().data(), strides_of(r.key), r.key);
      o.values = copy_heads(inputs[kValue].as<float>().data(), strides_of(r.value), r.value);
    }
  }
  if (has_input(call, kBias)) {
    const float* bias = inputs[kBias].as<float>().data();
    const int64_t hidden = r.query.heads * r.query.size;
    add_bias(o.queries, r.query, bias);
    if (r.form != Form::kCross) {
      add_bias(o.keys, r.key, bias + hidden);
      add_bias(o.values, r.value, bias + 2 * hidden);
    }
  }
  const auto past = [&](size_t index) {
    return has_input(call, index) ? inputs[index].as<float>().data() : nullptr;
  };
  o.keys = append_heads(past(kPastKey), r.past, o.keys, r.key);
  o.values = append_heads(past(kPastValue), r.past, o.values, r.value);
  return o;
}

Result<void> run(const OperatorCall& call, Views inputs, Views outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != kPadding) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const Request r, request_of(call));
  const Operands o = operands_of(call, r, inputs);
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
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .attributes = {{"mask_filter_value", -10000.0F},
                     {"num_heads", int64_t{0}},
                     {"scale", 0.0F},
                     {"unidirectional", int64_t{0}}},
  };
}

}  // namespace opbench
