#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace opbench {

/// IEEE 754 binary16 bits of a number, rounded once, to nearest even; and back.
uint16_t half_of(double value);
float float_of_half(uint16_t bits);

/// The upper half of a float's bits, rounded once, to nearest even; and back.
uint16_t bfloat_of(double value);
float float_of_bfloat(uint16_t bits);

/// A 16-bit float in memory. Arithmetic converts it to float.
template <uint16_t (*Narrow)(double), float (*Widen)(uint16_t)>
struct NarrowFloat {
  uint16_t bits = 0;

  NarrowFloat() = default;
  template <class T>
  requires(std::is_convertible_v<T, double> &&
           !std::is_same_v<T, NarrowFloat>) explicit NarrowFloat(T value)
      : bits(Narrow(static_cast<double>(value))) {}
  operator float() const { return Widen(bits); }  // NOLINT: arithmetic in float is the point

  static NarrowFloat of_bits(uint16_t bits) {
    NarrowFloat value;
    value.bits = bits;
    return value;
  }
};

using Float16 = NarrowFloat<half_of, float_of_half>;
using BFloat16 = NarrowFloat<bfloat_of, float_of_bfloat>;

/// True for every type of real numbers, the 16-bit ones included.
template <class T>
inline constexpr bool is_real_v =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

}  // namespace opbench

template <>
struct std::numeric_limits<opbench::Float16> {
  static opbench::Float16 max() { return opbench::Float16::of_bits(0x7BFF); }
  static opbench::Float16 lowest() { return opbench::Float16::of_bits(0xFBFF); }
};

template <>
struct std::numeric_limits<opbench::BFloat16> {
  static opbench::BFloat16 max() { return opbench::BFloat16::of_bits(0x7F7F); }
  static opbench::BFloat16 lowest() { return opbench::BFloat16::of_bits(0xFF7F); }
};
