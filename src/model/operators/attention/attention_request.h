#pragma once

#include "model/operators/attention/head_layout.h"

namespace opbench {

/// The operands of ONNX Attention; the last one is of opset 24.
enum AttentionInput : size_t { kQuery, kKey, kValue, kMask, kPastKey, kPastValue, kValidLengths };

/// What an attention node computes. Keys and values of the past stand before those of the call.
struct AttentionRequest {
  HeadLayout query;
  HeadLayout key;
  HeadLayout value;
  int64_t past = 0;    ///< steps of keys and values before those of the call
  double scale = 1;    ///< of the products
  double softcap = 0;  ///< 0: none
  bool is_causal = false;
  int64_t score_stage = 0;  ///< output 3: products, after softcap, after the mask, after softmax

  int64_t total() const { return past + key.steps; }
  /// Several heads of the query may share one of the keys.
  int64_t key_head(int64_t head) const { return head / (query.heads / key.heads); }
  Shape scores() const { return {query.batch, query.heads, query.steps, total()}; }
};

/// The request of a call. `kInvalidInput` when operands or attributes do not fit together.
Result<AttentionRequest> attention_request(const OperatorCall& call);

/// The extent that the mask has along the keys; keys beyond it are masked out, unless it is 1 and
/// stands for all (before opset 24).
int64_t mask_extent(const OperatorCall& call, const AttentionRequest& request);

}  // namespace opbench
