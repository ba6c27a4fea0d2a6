#include "base/tensors/half.h"

#include <bit>
#include <cmath>

namespace opbench {
namespace {

// Drops the last `dropped` bits, rounding to nearest even.
uint32_t round_off(uint32_t bits, uint32_t dropped) {
  const uint32_t half = 1U << (dropped - 1);
  const uint32_t is_odd = bits >> dropped & 1U;
  return (bits + half - 1 + is_odd) >> dropped;
}

}  // namespace

uint16_t half_of_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000U;
  const uint32_t magnitude = bits & 0x7FFFFFFFU;
  constexpr uint32_t kInfinity = 0x7F800000U;
  constexpr uint32_t kLeastNormal = 0x38800000U;  // 2^-14
  constexpr uint32_t kRebias = (127 - 15) << 23;
  if (magnitude > kInfinity) return static_cast<uint16_t>(sign | 0x7E00U);
  if (magnitude < kLeastNormal) {
    // In steps of 2^-24, the least binary16 above 0.
    const float steps = std::ldexp(std::bit_cast<float>(magnitude), 24);
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(steps)));
  }
  const uint32_t rounded = round_off(magnitude - kRebias, 13);
  return static_cast<uint16_t>(sign | (rounded > 0x7C00U ? 0x7C00U : rounded));
}

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

uint16_t bfloat_of_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40U);
  return static_cast<uint16_t>(round_off(bits, 16));
}

float float_of_bfloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace opbench
