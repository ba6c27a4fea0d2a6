#include "kernels/schedules/quantised_expr.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::Expr;

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
  const Expr rounded = Halide::cast<int32_t>(Halide::round(Halide::clamp(value, low, high)));
  return Halide::cast(type, rounded + Halide::cast<int32_t>(zero_point));
}

Expr quantised(const Node& node, const Expr& x, const Expr& scale, const Expr& zero_point) {
  const Halide::Type type = zero_point.defined() ? zero_point.type() : quantised_type(node);
  const Expr zero = zero_point.defined() ? zero_point : Halide::cast(type, 0);
  return saturated_to(type, Halide::strict_float(Halide::cast<float>(x) / scale), zero);
}

Expr dequantised(const Expr& x, const Expr& scale, const Expr& zero_point) {
  const Expr wide = Halide::cast<int32_t>(x);
  const Expr centred = zero_point.defined() ? wide - Halide::cast<int32_t>(zero_point) : wide;
  return Halide::cast<float>(centred) * scale;
}

Expr quantised_sum(const std::vector<Expr>& operands) {
  const Halide::Type type = operands[0].type();
  const auto zero = [&](size_t index) {
    const bool is_there = index < operands.size() && operands[index].defined();
    return is_there ? operands[index] : Halide::cast(type, 0);
  };
  const auto scaled = [&](size_t index) {
    const Expr difference =
        Halide::cast<int32_t>(operands[index]) - Halide::cast<int32_t>(zero(index + 2));
    return Halide::cast<float>(difference) * (operands[index + 1] / operands[6]);
  };
  return saturated_to(type, Halide::strict_float(scaled(0) + scaled(3)), zero(7));
}

}  // namespace opbench
