#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace opbench {

/// Pseudo-random numbers, the same on every machine for one seed: xoshiro256** (Blackman and Vigna
/// 2018) with its state filled by SplitMix64. No library distribution is used, as those differ.
class Random {
 public:
  explicit Random(uint64_t seed);
  /// An independent stream for every name, so that a tensor's values depend on the seed and on its
  /// name, not on what was drawn before.
  Random(uint64_t seed, std::string_view stream);

  /// 64 random bits.
  uint64_t next();

  /// In [0, 1), with 53 random bits.
  double uniform();

  /// In [0, limit); `limit` at least 1. Lemire's multiplication, bias below 2^-32 for small limits.
  uint64_t below(uint64_t limit);

  /// 0 to count - 1, every order alike (Fisher and Yates 1938).
  std::vector<size_t> shuffled(size_t count);

  /// Mean 0, variance 1, within ±4.9: the sum of eight 16-bit uniform values, in integers and
  /// rounded once.
  float normal();

  /// `normal() * scale` in every element: the standard deviation is `scale`.
  void fill_normal(std::span<float> values, float scale);

  /// Uniform in [low, high) in every element.
  void fill_uniform(std::span<float> values, float low, float high);

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace opbench
