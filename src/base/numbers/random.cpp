#include "base/numbers/random.h"

#include <numeric>
#include <utility>

namespace opbench {
namespace {

constexpr uint64_t rotated(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

/// SplitMix64 (Steele, Lea, Flood 2014): steps `state`, returns its hash.
uint64_t split_mix(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// FNV-1a over the name, started from the hashed seed.
uint64_t stream_seed(uint64_t seed, std::string_view stream) {
  uint64_t hash = split_mix(seed) ^ 0xcbf29ce484222325;
  for (const char c : stream) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Random::Random(uint64_t seed) : state_() {
  for (uint64_t& word : state_) word = split_mix(seed);
}

Random::Random(uint64_t seed, std::string_view stream) : Random(stream_seed(seed, stream)) {}

uint64_t Random::next() {
  const uint64_t result = rotated(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotated(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

uint64_t Random::below(uint64_t limit) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<uint64_t>((static_cast<Wide>(next()) * limit) >> 64);
}

std::vector<size_t> Random::shuffled(size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

float Random::normal() {
  constexpr uint64_t kLow = 0x0000ffff0000ffff;
  const uint64_t a = next();
  const uint64_t b = next();
  const uint64_t halves = (a & kLow) + ((a >> 16) & kLow) + (b & kLow) + ((b >> 16) & kLow);
  const auto sum = static_cast<int32_t>((halves & 0xffffffff) + (halves >> 32));
  // Eight values uniform in 0..65535: mean 8 * 65535 / 2, variance 8 * (65536^2 - 1) / 12.
  constexpr float kPerDeviation = 1.86881237e-5F;
  return static_cast<float>(sum - 4 * 65535) * kPerDeviation;
}

void Random::fill_normal(std::span<float> values, float scale) {
  Random local = *this;
  for (float& value : values) value = local.normal() * scale;
  *this = local;
}

void Random::fill_uniform(std::span<float> values, float low, float high) {
  for (float& value : values) {
    value = static_cast<float>(low + static_cast<double>(high - low) * uniform());
  }
}

}  // namespace opbench
