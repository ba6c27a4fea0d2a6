#include "kernels/schedules/expressions/exponential.h"

#include <halide14/Halide.h>

namespace opbench {
namespace {

using Halide::Expr;

// e^x = 2^n e^r with n = round(x / ln 2) and |r| <= ln 2 / 2 (Cody and Waite 1980, chapter 6).

constexpr float kExponentialAddend = 0x1.8p23F;
constexpr float kLog2e = 1.44269504F;
constexpr float kLn2 = 0.693147182F;  // off by 2e-9, so that r is off by 2.4e-7 at most
constexpr float kLargest = 88.7228394F, kSmallest = -87.3365402F;
constexpr int kExponentAt = 23;
constexpr uint32_t kInfinityBits = 0x7F800000;

/// e^r: the polynomial of degree 5 that begins with 1 + r and whose largest relative error is least
/// (1.1e-7), by Remez' exchange.
Expr exp_of_rest(const Expr& r) {
  Expr sum = 0.008312522433698177F;
  for (const float factor :
       {0.041890133172273636F, 0.16667114198207855F, 0.499992311000824F, 1.0F, 1.0F})
    sum = sum * r + factor;
  return sum;
}

}  // namespace

Expr exp_of(const Expr& x) {
  // A float32 as large as the addend has no digits for a fraction, and its low bits are an integer.
  // By way of integers: the compiler takes (a + b) - b for a, strict_float or not.
  const Expr sum = Halide::strict_float(x * kLog2e + kExponentialAddend);
  const Expr n =
      Halide::reinterpret<int32_t>(sum) - Halide::reinterpret<int32_t>(Expr(kExponentialAddend));
  const Expr rest = x - Halide::cast<float>(n) * kLn2;
  const Expr power = Halide::reinterpret<uint32_t>(n) << kExponentAt;
  const Expr bits = Halide::reinterpret<uint32_t>(exp_of_rest(rest)) + power;
  // Chosen among bits: the compiler may take an infinite float for anything.
  const Expr is_large = Halide::strict_float(x > kLargest);
  const Expr is_small = Halide::strict_float(x < kSmallest);
  return Halide::reinterpret<float>(
      Halide::select(is_large, Expr(kInfinityBits), Halide::select(is_small, Expr(0U), bits)));
}

}  // namespace opbench
