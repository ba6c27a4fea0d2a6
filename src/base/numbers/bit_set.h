#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opbench {

/// A set of numbers below a size, one bit each: sets are united 64 numbers at a time.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(size_t size) : words_((size + kBits - 1) / kBits) {}

  bool operator[](size_t number) const {
    return (words_[number / kBits] >> (number % kBits) & 1) != 0;
  }
  void add(size_t number) { words_[number / kBits] |= uint64_t{1} << (number % kBits); }

  /// `other` is a set of numbers below the same size.
  void add_all(const BitSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

  bool operator==(const BitSet&) const = default;

 private:
  static constexpr size_t kBits = 64;
  std::vector<uint64_t> words_;
};

}  // namespace opbench
