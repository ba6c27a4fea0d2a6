#pragma once

#include "model/operators/attention/head_layout.h"
#include "model/operators/attention/head_mask.h"

namespace opbench {

/// The operands of com.microsoft MultiHeadAttention.
enum MultiHeadInput : size_t {
  kHeadQuery,
  kHeadKey,
  kHeadValue,
  kHeadBias,
  kHeadPadding,
  kHeadScoreBias,
  kHeadPastKey,
  kHeadPastValue
};

/// The forms of query, key and value.
enum class HeadForm {
  kApart,       ///< each [batch, steps, heads size]
  kCross,       ///< key and value [batch, heads, steps, size]
  kPackedKeys,  ///< key and value in key, [batch, steps, heads, 2, size]
  kPacked,      ///< all in query, [batch, steps, heads, 3, size]
};

/// What a com.microsoft MultiHeadAttention node computes.
struct MultiHeadRequest {
  HeadForm form = HeadForm::kApart;
  HeadLayout query, key, value;  ///< extents; the query flat as the result is
  int64_t past = 0;
  double scale = 1;
  HeadMask mask;

  int64_t total() const { return past + key.steps; }
};

/// The request of a call. `kInvalidInput` when operands or attributes do not fit together.
Result<MultiHeadRequest> multi_head_request(const OperatorCall& call);

}  // namespace opbench
