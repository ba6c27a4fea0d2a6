#pragma once

#include <array>

#include "model/operators/operand.h"

namespace opbench {

/// What com.microsoft Attention and MultiHeadAttention add to the scores: a padding mask of
/// integers (0 hides the key), an additive bias, and the order of steps where it counts. Scores are
/// [batch, heads, queries, keys].
struct HeadMask {
  size_t padding =
      0;            ///< operand: lengths [batch], or a mask [batch, keys] or [batch, queries, keys]
  size_t bias = 0;  ///< operand [1 or batch, 1 or heads, queries, keys]
  Shape scores;
  int64_t past = 0;        ///< keys before the first query's step
  bool is_causal = false;  ///< a query sees its own step and those before it
  double hidden = -10000;  ///< added to the score of a key that the padding mask hides
};

/// `kInvalidInput` unless operands `padding` and `bias` are omitted or fit.
Result<void> check_head_mask(const OperatorCall& call, const HeadMask& mask);

/// What is added to the score of [image, head, query, key].
double head_bias(const OperatorCall& call, const HeadMask& mask, std::span<const TensorView> inputs,
                 std::array<int64_t, 4> at);

}  // namespace opbench
