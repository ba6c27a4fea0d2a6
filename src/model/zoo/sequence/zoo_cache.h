#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/zoo/zoo_builder.h"

namespace opbench {

/// The keys and values of the words before, which a decoder gets as the inputs
/// `past_key_values.LAYER.key` and `.value` (N x heads x past x width) and gives with those of the
/// new words appended as `present.LAYER.key` and `.value`.
class KeyValueCache {
 public:
  struct Extents {
    int64_t layers = 0;
    int64_t heads = 0;
    int64_t width = 0;
    int64_t past = 0;
  };

  /// Adds the inputs. `ids` are the new words, N x T.
  KeyValueCache(ZooBuilder& b, const std::string& ids, const Extents& extents);

  /// The free dimensions of such a model.
  static std::vector<Dimension> dimensions(int64_t length, int64_t past);

  /// All keys and values of the next layer, outputs of the model too; `key` and `value` are those
  /// of the new words, N x heads x T x width.
  std::pair<std::string, std::string> append(ZooBuilder& b, const std::string& key,
                                             const std::string& value);

  /// The part of `table` along `axis` for the new words' positions.
  std::string of_new_words(ZooBuilder& b, const std::string& name, const std::string& table,
                           int64_t axis) const;

  /// 1 x 1 x T x (past + T), true where a new word sees a word; for up to `positions` words.
  std::string causal_mask(ZooBuilder& b, int64_t positions) const;

 private:
  Extents extents_;
  int64_t length_ = 0;
  int64_t layer_ = 0;
  std::string begin_;  ///< the number of words before
  std::string end_;    ///< the number of all words
};

}  // namespace opbench
