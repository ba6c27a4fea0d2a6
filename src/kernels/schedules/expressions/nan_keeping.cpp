#include "kernels/schedules/expressions/nan_keeping.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::Expr;
using Halide::Internal::Call;

Expr at_least(const Expr& x, const Expr& bound) {
  if (x.type() != Halide::Float(32)) return Halide::max(x, bound);
  return Call::make(Halide::Float(32), "opbench_at_least", {x, bound}, Call::PureExtern);
}

Expr at_most(const Expr& x, const Expr& bound) {
  if (x.type() != Halide::Float(32)) return Halide::min(x, bound);
  return Call::make(Halide::Float(32), "opbench_at_most", {x, bound}, Call::PureExtern);
}

Expr within(const Expr& x, const Expr& low, const Expr& high) {
  return at_most(at_least(x, low), high);
}

Expr larger(const Expr& a, const Expr& b) { return unless_nan(b, at_least(a, b)); }

Expr smaller(const Expr& a, const Expr& b) { return unless_nan(b, at_most(a, b)); }

Expr unless_nan(const Expr& x, const Expr& value) {
  if (x.type() != Halide::Float(32)) return value;
  constexpr int32_t kSize = 0x7FFFFFFF, kInfinity = 0x7F800000;
  const Expr bits = Halide::reinterpret<int32_t>(x);
  const Expr value_bits = Halide::reinterpret<int32_t>(value);
  return Halide::reinterpret<float>(
      Halide::select((bits & Expr(kSize)) > Expr(kInfinity), bits, value_bits));
}

const std::vector<uint8_t>& nan_keeping_bitcode(const Target& target) {
  switch (vector_isa(target)) {
    case VectorIsa::kAvx512:
      return nan_keeping_avx512_bitcode();
    case VectorIsa::kAvx2:
      return nan_keeping_avx2_bitcode();
    default:
      return nan_keeping_bits_bitcode();
  }
}

}  // namespace opbench
