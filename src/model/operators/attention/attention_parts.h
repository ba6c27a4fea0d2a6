#pragma once

#include <string>
#include <vector>

#include "model/operators/attention/head_layout.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {

/// A float32 value that holds heads.
struct HeadValue {
  std::string name;
  HeadLayout layout;
};

/// A float32 value that broadcasts to scores, [batch, heads, queries, keys].
struct ScoreValue {
  std::string name;
  Shape shape;
};

/// What hides keys from queries, or adds to their scores.
struct ScoreMask {
  std::vector<ScoreValue> addends;  ///< numbers above minus infinity
  /// Of masks that may hide all keys from a query, whose weights are 0 then: 1 where a query sees a
  /// key, else 0. Addends hide these keys, too.
  std::vector<ScoreValue> visible;
};

/// Scaled dot-product attention, as AttentionReference computes it, of nodes that have kernels:
/// products of all heads at once, with scale, softcap and mask fused behind, and a softmax.
struct AttentionParts {
  HeadValue query, key, value;  ///< keys and values with those of the past
  double scale = 1;
  double softcap = 0;  ///< 0: none
  ScoreMask mask;
  std::string result;       ///< gets the heads in the query's layout
  std::string scores;       ///< gets the scores of a stage; empty: nobody asks
  int64_t score_stage = 0;  ///< products, after softcap, after the mask, weights
};

/// Numbers that stand for minus infinity in sums: the least float32.
float hidden_score();

/// Adds the nodes. No extent is 0.
void add_attention(NodeParts& parts, const AttentionParts& attention);

/// Heads as [batch, heads, steps, size]: the value itself, or moved there. `result` as
/// NodeParts::add.
HeadValue heads_outside(NodeParts& parts, const std::string& part, const HeadValue& value,
                        const std::string& result = "");

/// Keys or values with those of the past, [batch, heads, steps, size], before them. `past` is empty
/// where there are none. They are the value `result`, if that has a name.
HeadValue with_past(NodeParts& parts, const std::string& part, const HeadValue& now,
                    const std::string& past, int64_t past_steps, const std::string& result);

/// Hides the keys for which the boolean value is false.
void hide_unless(NodeParts& parts, ScoreMask& mask, const std::string& part,
                 const std::string& is_seen, const Shape& shape);

/// The elements [begin, end) of a value along an axis.
std::string sliced(NodeParts& parts, const std::string& part, const std::string& value,
                   int64_t axis, int64_t begin, int64_t end);

/// Hides keys that come later than query + past. Adds nothing where every query sees all keys.
void hide_later_keys(NodeParts& parts, ScoreMask& mask, int64_t queries, int64_t keys,
                     int64_t past);

}  // namespace opbench
