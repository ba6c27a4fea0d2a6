#include "model/operators/attention/packed_request.h"

#include <fmt/format.h>

#include <cmath>

namespace opbench {
namespace {

/// The widths of queries, keys and values: those of `qkv_hidden_sizes`, or a third each.
Result<void> read_packed_request_heads(const OperatorCall& call, PackedRequest& r) {
  OPBENCH_CHECK(require_rank(call, kPackedInput, 3, 3));
  OPBENCH_CHECK(require_rank(call, kPackedWeights, 2, 2));
  const Shape& x = shape_of(call, kPackedInput);
  const Shape& w = shape_of(call, kPackedWeights);
  const int64_t heads = int_attribute(*call.node, "num_heads", 0);
  Integers widths = ints_attribute(*call.node, "qkv_hidden_sizes", {});
  if (widths.empty()) widths.assign(3, w[1] / 3);
  const bool fits = heads > 0 && widths.size() == 3 && widths[0] == widths[1] &&
                    widths[0] + widths[1] + widths[2] == w[1] && widths[0] % heads == 0 &&
                    widths[2] % heads == 0 && w[0] == x[2] &&
                    (!has_input(call, kPackedBias) || shape_of(call, kPackedBias) == Shape{w[1]});
  if (!fits) {
    return misfit(call, fmt::format("input {}, weights {} and widths {} do not fit {} heads",
                                    shape_text(x), shape_text(w), fmt::join(widths, ","), heads));
  }
  r.hidden = x[2];
  r.key = {x[0], heads, x[1], widths[0] / heads, true};
  r.value = {x[0], heads, x[1], widths[2] / heads, true};
  return {};
}

}  // namespace

Result<PackedRequest> packed_request(const OperatorCall& call) {
  if (int_attribute(*call.node, "do_rotary", 0) != 0) return misfit(call, "do_rotary is not known");
  PackedRequest r;
  OPBENCH_CHECK(read_packed_request_heads(call, r));
  if (has_input(call, kPackedPast)) {
    OPBENCH_CHECK(require_rank(call, kPackedPast, 5, 5));
    r.past = shape_of(call, kPackedPast)[3];
    const Shape wanted{2, r.key.batch, r.key.heads, r.past, r.key.size};
    if (shape_of(call, kPackedPast) != wanted || r.value.size != r.key.size) {
      return misfit(call, fmt::format("past {} is not {}", shape_text(shape_of(call, kPackedPast)),
                                      shape_text(wanted)));
    }
  }
  const double given = float_attribute(*call.node, "scale", 0.0F);
  r.scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(r.key.size));
  r.mask = {.padding = kPackedPadding,
            .bias = kPackedScoreBias,
            .scores = {r.key.batch, r.key.heads, r.key.steps, r.total()},
            .past = r.past,
            .is_causal = int_attribute(*call.node, "unidirectional", 0) != 0,
            .hidden = float_attribute(*call.node, "mask_filter_value", -10000.0F)};
  OPBENCH_CHECK(check_head_mask(call, r.mask));
  return r;
}

}  // namespace opbench
