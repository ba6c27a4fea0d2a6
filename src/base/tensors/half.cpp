#include "base/tensors/half.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace opbench {
namespace {

// Drops the last `dropped` bits, rounding to nearest even.
uint64_t round_off(uint64_t bits, int dropped) {
  const uint64_t half = 1ULL << (dropped - 1);
  const uint64_t is_odd = bits >> dropped & 1U;
  return (bits + half - 1 + is_odd) >> dropped;
}

// The bits of the nearest value of a format of 16 bits, `fraction` of them after the point.
uint16_t narrowed(double value, int fraction) {
  constexpr uint64_t kInfinity = 0x7FFULL << 52;
  const int bias = (1 << (14 - fraction)) - 1;
  const uint64_t infinity = 0x7FFFU >> fraction << fraction;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t sign = bits >> 48 & 0x8000U;
  const uint64_t magnitude = bits & ~(1ULL << 63);
  if (magnitude > kInfinity) {  // NaN
    return static_cast<uint16_t>(sign | infinity | 1ULL << (fraction - 1));
  }
  const auto exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent < 1 - bias) {
    // In steps of the least number above 0.
    const double steps = std::ldexp(std::bit_cast<double>(magnitude), fraction + bias - 1);
    return static_cast<uint16_t>(sign | static_cast<uint64_t>(std::nearbyint(steps)));
  }
  const uint64_t rebias = static_cast<uint64_t>(1023 - bias) << 52;
  const uint64_t rounded = round_off(magnitude - rebias, 52 - fraction);
  return static_cast<uint16_t>(sign | std::min(rounded, infinity));
}

}  // namespace

uint16_t half_of(double value) { return narrowed(value, 10); }

float float_of_half(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000U) << 16;
  const uint32_t exponent = bits >> 10 & 0x1FU;
  const uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t widened = exponent == 0x1FU ? 0xFFU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | widened << 23 | fraction << 13);
}

uint16_t bfloat_of(double value) { return narrowed(value, 7); }

float float_of_bfloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace opbench
