#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "model/operators/attention/head_layout.h"

namespace opbench {

/// Added to a score that must not count.
constexpr double kMaskedScore = -std::numeric_limits<double>::infinity();

/// Scaled dot-product attention on float32 arrays: softmax(softcap(scale q k) + bias) v for every
/// head and query, the formula of ONNX Attention (opset 23). Several heads of the query may share
/// one of the keys.
struct AttentionReference {
  HeadLayout query, key, value;
  HeadLayout result;  ///< of as many heads and steps as the query, of the values' size
  const float* queries = nullptr;
  const float* keys = nullptr;
  const float* values = nullptr;
  double scale = 1;
  double softcap = 0;  ///< 0: none
  /// Added to a score; `kMaskedScore` hides the key.
  std::function<double(int64_t image, int64_t head, int64_t query, int64_t key)> bias;
  /// One more score of the head, whose weight nothing receives. Null: none.
  std::function<double(int64_t head)> sink = nullptr;
  int64_t score_stage = 0;  ///< of `scores`: products, after softcap, after the mask, weights

  int64_t key_head(int64_t head) const { return head / (query.heads / key.heads); }
};

/// Fills `y`, and `scores`, [batch, heads, queries, keys], either of which may be null. All weights
/// are 0 where every key is masked.
void attend(const AttentionReference& attention, float* y, float* scores);

}  // namespace opbench
