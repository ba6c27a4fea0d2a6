#include "kernels/schedules/expressions/half_casts.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::Expr;

namespace {

/// float32 as binary16, to nearest even, by the bits: numbers below 2^-14 by a sum in whose last
/// bits they are rounded (Giesen 2012, "Float to half").
Expr half_by_bits(const Expr& value) {
  constexpr uint32_t kInfinity = 0x7F800000, kLarge = 0x47800000, kSmall = 0x38800000;
  constexpr uint32_t kMagic = 0x3F000000, kRebias = 0xC8000FFF;
  const Expr bits = Halide::reinterpret<uint32_t>(value);
  const Expr size = bits & Expr(0x7FFFFFFFU);
  const Expr normal = (size + Expr(kRebias) + (size >> 13 & Expr(1U))) >> 13;
  const Expr small = Halide::reinterpret<uint32_t>(Halide::reinterpret<float>(size) +
                                                   Halide::reinterpret<float>(Expr(kMagic))) -
                     Expr(kMagic);
  const Expr large = Halide::select(size > Expr(kInfinity), Expr(0x7E00U), Expr(0x7C00U));
  const Expr rounded =
      Halide::select(size >= Expr(kLarge), large, size < Expr(kSmall), small, normal);
  const Expr all = rounded | (bits >> 16 & Expr(0x8000U));
  return Halide::reinterpret(Halide::Float(16), Halide::cast<uint16_t>(all));
}

/// binary16 as float32: the bits in their places, and the exponent set right by a product.
Expr float_by_bits(const Expr& value) {
  constexpr float kRebias = 0x1p112F;
  const Expr bits = Halide::cast<uint32_t>(Halide::reinterpret<uint16_t>(value));
  const Expr size = bits & Expr(0x7FFFU);
  const Expr number = Halide::reinterpret<float>(size << 13) * kRebias;
  const Expr is_finite = size < Expr(0x7C00U);
  const Expr scaled = Halide::reinterpret<uint32_t>(number) |
                      Halide::select(is_finite, Expr(0U), Expr(0x7F800000U));
  return Halide::reinterpret<float>(scaled | (bits & Expr(0x8000U)) << 16);
}

Expr called(const char* function, const Halide::Type& type, const Expr& value) {
  return Halide::Internal::Call::make(type, function, {value}, Halide::Internal::Call::PureExtern);
}

}  // namespace

bool has_half_casts(const Target& target) {
  const VectorIsa isa = vector_isa(target);
  return isa == VectorIsa::kAvx2 || isa == VectorIsa::kAvx512;
}

Expr half_of(const Expr& value, bool has_casts) {
  if (!has_casts) return half_by_bits(value);
  return Halide::reinterpret(Halide::Float(16), called("opbench_to_half", Halide::UInt(16), value));
}

Expr float_of_half(const Expr& value, bool has_casts) {
  if (!has_casts) return float_by_bits(value);
  return called("opbench_from_half", Halide::Float(32), Halide::reinterpret<uint16_t>(value));
}

}  // namespace opbench
