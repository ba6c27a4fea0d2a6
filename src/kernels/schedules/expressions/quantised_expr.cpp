#include "kernels/schedules/expressions/quantised_expr.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::Expr;
using Halide::Internal::Call;

namespace {

/// The nearest integer, halves to even, of a number between -2^22 and 2^22: a float32 as large as
/// this addend has no digits for a fraction, and its low bits are the integer.
Expr nearest(const Expr& value) {
  constexpr float kAddend = 0x1.8p23F;
  const Expr sum = Halide::strict_float(value + kAddend);
  return Halide::reinterpret<int32_t>(sum) - Halide::reinterpret<int32_t>(Expr(kAddend));
}

/// A number without its fraction, and the same as a byte: only casts of `saturated_to` look so.
const Call* whole_number(const Expr& byte) {
  const auto* cast = byte.as<Halide::Internal::Cast>();
  return cast == nullptr ? nullptr
                         : Call::as_intrinsic(cast->value, {Call::unsafe_promise_clamped});
}

/// int32. Of a byte that a step before cut from a number, that number: no byte lies between them.
Expr widened(const Expr& x) {
  const Call* whole = whole_number(x);
  return whole == nullptr ? Halide::cast<int32_t>(x) : whole->args[0];
}

/// x - zero_point as a float32, in floats where these hold every difference.
Expr centred(const Expr& x, const Expr& zero_point) {
  if (!zero_point.defined()) return Halide::cast<float>(widened(x));
  if (x.type().bits() > 16) return Halide::cast<float>(x - Halide::cast(x.type(), zero_point));
  return Halide::strict_float(Halide::cast<float>(widened(x)) - Halide::cast<float>(zero_point));
}

}  // namespace

Halide::Type quantised_type(const Node& node) {
  constexpr int64_t kOnnxInt8 = 3;
  const bool is_signed = int_attribute(node, "output_dtype", 0) == kOnnxInt8;
  return is_signed ? Halide::Int(8) : Halide::UInt(8);
}

Expr saturated_to(const Halide::Type& type, const Expr& value, const Expr& zero_point) {
  // The ends are whole numbers: cutting before rounding gives the same, and no number is too large
  // for the conversion to integers.
  const Expr offset = Halide::cast<float>(zero_point);
  const Expr low = Halide::cast<float>(type.min()) - offset;
  const Expr high = Halide::cast<float>(type.max()) - offset;
  const Expr whole = nearest(Halide::clamp(value, low, high)) + Halide::cast<int32_t>(zero_point);
  return Halide::cast(type, Halide::unsafe_promise_clamped(whole, Halide::cast<int32_t>(type.min()),
                                                           Halide::cast<int32_t>(type.max())));
}

Expr quantised(const Node& node, const Expr& x, const Expr& scale, const Expr& zero_point) {
  const Halide::Type type = zero_point.defined() ? zero_point.type() : quantised_type(node);
  const Expr zero = zero_point.defined() ? zero_point : Halide::cast(type, 0);
  return saturated_to(type, Halide::strict_float(Halide::cast<float>(x) / scale), zero);
}

Expr dequantised(const Expr& x, const Expr& scale, const Expr& zero_point) {
  return centred(x, zero_point) * scale;
}

Expr quantised_sum(const std::vector<Expr>& operands) {
  const auto optional = [&](size_t index) {
    return index < operands.size() ? operands[index] : Expr();
  };
  const auto scaled = [&](size_t index) {
    return centred(operands[index], optional(index + 2)) * (operands[index + 1] / operands[6]);
  };
  const Halide::Type type = operands[0].type();
  const Expr zero = optional(7).defined() ? optional(7) : Halide::cast(type, 0);
  return saturated_to(type, Halide::strict_float(scaled(0) + scaled(3)), zero);
}

}  // namespace opbench
