#include "model/operators/attention/multi_head_request.h"

#include <fmt/format.h>

#include <cmath>

namespace opbench {
namespace {

HeadForm form_of(const OperatorCall& call) {
  if (!has_input(call, kHeadKey)) return HeadForm::kPacked;
  if (!has_input(call, kHeadValue)) return HeadForm::kPackedKeys;
  return rank_of(call, kHeadKey) == 4 ? HeadForm::kCross : HeadForm::kApart;
}

Error no_fit(const OperatorCall& call) {
  std::vector<std::string> shapes;
  for (const size_t i : {kHeadQuery, kHeadKey, kHeadValue}) {
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

Result<void> read_multi_head_request_heads(const OperatorCall& call, MultiHeadRequest& r) {
  const int64_t heads = int_attribute(*call.node, "num_heads", 0);
  r.form = form_of(call);
  if (r.form == HeadForm::kPacked) {
    const Shape& x = shape_of(call, kHeadQuery);
    if (x.size() != 5 || x[2] != heads || x[3] != 3) return no_fit(call);
    r.query = r.key = r.value = {x[0], heads, x[1], x[4], true};
    return {};
  }
  OPBENCH_TRY(r.query, flat_heads(call, kHeadQuery, heads));
  const Shape& k = shape_of(call, kHeadKey);
  if (r.form == HeadForm::kPackedKeys) {
    if (k.size() != 5 || k[2] != heads || k[3] != 2) return no_fit(call);
    r.key = r.value = {k[0], heads, k[1], k[4], true};
  } else if (r.form == HeadForm::kCross) {
    const Shape& v = shape_of(call, kHeadValue);
    if (v.size() != 4 || k[1] != heads || v[1] != heads) return no_fit(call);
    r.key = {k[0], heads, k[2], k[3], false};
    r.value = {v[0], heads, v[2], v[3], false};
  } else {
    OPBENCH_TRY(r.key, flat_heads(call, kHeadKey, heads));
    OPBENCH_TRY(r.value, flat_heads(call, kHeadValue, heads));
  }
  const bool fits = r.query.batch == r.key.batch && r.key.batch == r.value.batch &&
                    r.query.size == r.key.size && r.key.steps == r.value.steps;
  if (!fits) return no_fit(call);
  return {};
}

Result<void> read_past(const OperatorCall& call, MultiHeadRequest& r) {
  if (has_input(call, kHeadPastKey) != has_input(call, kHeadPastValue)) {
    return misfit(call, "past_key and past_value go together");
  }
  if (!has_input(call, kHeadPastKey)) return {};
  OPBENCH_CHECK(require_rank(call, kHeadPastKey, 4, 4));
  r.past = shape_of(call, kHeadPastKey)[2];
  const Shape keys{r.key.batch, r.key.heads, r.past, r.key.size};
  const Shape values{r.key.batch, r.key.heads, r.past, r.value.size};
  if (shape_of(call, kHeadPastKey) == keys && shape_of(call, kHeadPastValue) == values) return {};
  return misfit(call, fmt::format("past_key {} and past_value {} are not {} and {}",
                                  shape_text(shape_of(call, kHeadPastKey)),
                                  shape_text(shape_of(call, kHeadPastValue)), shape_text(keys),
                                  shape_text(values)));
}

}  // namespace

Result<MultiHeadRequest> multi_head_request(const OperatorCall& call) {
  MultiHeadRequest r;
  OPBENCH_CHECK(read_multi_head_request_heads(call, r));
  OPBENCH_CHECK(read_past(call, r));
  const Shape bias{r.query.heads * (2 * r.query.size + r.value.size)};
  if (has_input(call, kHeadBias) && shape_of(call, kHeadBias) != bias) {
    return misfit(call, fmt::format("bias {} is not {}", shape_text(shape_of(call, kHeadBias)),
                                    shape_text(bias)));
  }
  const double given = float_attribute(*call.node, "scale", 0.0F);
  r.scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(r.query.size));
  r.mask = {.padding = kHeadPadding,
            .bias = kHeadScoreBias,
            .scores = {r.query.batch, r.query.heads, r.query.steps, r.total()},
            .past = r.past,
            .is_causal = int_attribute(*call.node, "unidirectional", 0) != 0,
            .hidden = float_attribute(*call.node, "mask_filter_value", -10000.0F)};
  OPBENCH_CHECK(check_head_mask(call, r.mask));
  return r;
}

}  // namespace opbench
