#include "kernels/schedules/expressions/elementwise_expr.h"

#include <halide14/Halide.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>

#include "kernels/schedules/expressions/exponential.h"
#include "kernels/schedules/expressions/nan_keeping.h"
#include "kernels/schedules/expressions/quantised_expr.h"
#include "kernels/schedules/operands/node_type.h"

namespace opbench {
namespace {

using Halide::Expr;
using ElementwiseExprOperands = std::vector<Expr>;
using Rule = std::function<Expr(const Node&, const ElementwiseExprOperands&)>;
using Unary = Expr (*)(const Expr&);
using Binary = Expr (*)(const Expr&, const Expr&);

Expr sigmoid(const Expr& x) { return 1.0f / (1.0f + exp_of(-x)); }

Expr polynomial(const Expr& x, std::initializer_list<float> highest_first) {
  Expr sum;
  for (const float factor : highest_first) sum = sum.defined() ? sum * x + factor : Expr(factor);
  return sum;
}

/// A quotient that is a function of x.
struct Quotient {
  Expr above, below;
};

/// tanh as in Eigen (Padé, odd by even): 3e-7 of the value wherever it is, where a formula by exp
/// has 6e-8 of 1 and so nothing right of tanh(1e-8).
Quotient tanh_quotient(const Expr& any) {
  const Expr x = within(any, -7.905311f, 7.905311f);
  const Expr square = x * x;
  return {
      x * polynomial(square, {-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f,
                              5.12229709037114e-08f, 1.48572235717979e-05f, 6.37261928875436e-04f,
                              4.89352455891786e-03f}),
      polynomial(square, {1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f,
                          4.89352518554385e-03f})};
}

Expr tanh_of(const Expr& x) {
  const Quotient quotient = tanh_quotient(x);
  return quotient.above / quotient.below;
}

/// e^x - 1 for x up to 0, by 2 tanh(x/2) / (1 - tanh(x/2)): no difference of equal numbers.
Expr expm1_of(const Expr& x) {
  const Quotient half = tanh_quotient(x * 0.5f);
  return 2.0f * half.above / (half.below - half.above);
}

/// log(1 + x) for x in [0, 1], by 2 atanh(x / (2 + x)).
Expr log1p_of(const Expr& x) {
  const Expr part = x / (2.0f + x);
  return 2.0f * part *
         polynomial(part * part, {1 / 15.0f, 1 / 13.0f, 1 / 11.0f, 1 / 9.0f, 1 / 7.0f, 1 / 5.0f,
                                  1 / 3.0f, 1.0f});
}

/// log(1 + e^x) without overflow for large x, and with all digits for very negative ones.
Expr softplus(const Expr& x) { return Halide::max(x, 0.0f) + log1p_of(exp_of(-Halide::abs(x))); }

Expr elu(const Expr& x, float alpha) {
  return Halide::select(x >= 0.0f, x, alpha * expm1_of(Halide::min(x, 0.0f)));
}

/// As in Eigen: odd by even, 3e-7 of the value wherever it is.
Expr erf_of(const Expr& any) {
  const Expr x = within(any, -4.0f, 4.0f);
  const Expr square = x * x;
  return x *
         polynomial(square, {-2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f,
                             -5.69250639462346e-05f, -7.34990630326855e-04f, -2.95459980854025e-03f,
                             -1.60960333262415e-02f}) /
         polynomial(square, {-1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
                             -7.37332916720468e-03f, -1.42647390514189e-02f});
}

/// The angle as quarter turns and a rest within an eighth of a turn, taken apart in double, so that
/// large angles keep their digits.
struct Angle {
  Expr quarters, rest;
};

Angle angle_of(const Expr& x) {
  const Expr wide = Halide::cast<double>(x);
  const Expr quarters = Halide::round(wide * Expr(0.63661977236758134));  // 2 / pi
  const Expr rest = wide - quarters * Expr(1.5707963267948966);
  return {Halide::cast<int32_t>(quarters), Halide::cast<float>(rest)};
}

/// Taylor's series, exact to a bit within an eighth of a turn.
Expr sin_of_rest(const Expr& x) {
  const Expr square = x * x;
  return x + x * square * polynomial(square, {1 / 362880.0f, -1 / 5040.0f, 1 / 120.0f, -1 / 6.0f});
}

Expr cos_of_rest(const Expr& x) {
  const Expr square = x * x;
  return polynomial(square, {-1 / 3628800.0f, 1 / 40320.0f, -1 / 720.0f, 1 / 24.0f, -0.5f, 1.0f});
}

/// The sine `turn` quarter turns further on.
Expr sin_after(const Expr& x, int turn) {
  const Angle angle = angle_of(x);
  const Expr quarters = angle.quarters + turn;
  const Expr value =
      Halide::select((quarters & 1) == 0, sin_of_rest(angle.rest), cos_of_rest(angle.rest));
  return Halide::select((quarters & 2) == 0, value, -value);
}

Expr tan_of(const Expr& x) {
  const Angle angle = angle_of(x);
  const Expr sine = sin_of_rest(angle.rest), cosine = cos_of_rest(angle.rest);
  return Halide::select((angle.quarters & 1) == 0, sine / cosine, -cosine / sine);
}

/// By the series for t up to tan(pi/8): larger angles are the rest to pi/4 or to pi/2.
Expr atan_of(const Expr& x) {
  const Expr size = Halide::abs(x);
  const Expr is_large = size > 2.4142135624f, is_middle = size > 0.4142135624f;
  const Expr t = Halide::select(is_large, -1.0f / size,
                                Halide::select(is_middle, (size - 1.0f) / (size + 1.0f), size));
  const Expr start =
      Halide::select(is_large, 1.5707963268f, Halide::select(is_middle, 0.7853981634f, 0.0f));
  const Expr square = t * t;
  const Expr angle =
      start + (t + t * square *
                       polynomial(square, {1 / 17.0f, -1 / 15.0f, 1 / 13.0f, -1 / 11.0f, 1 / 9.0f,
                                           -1 / 7.0f, 1 / 5.0f, -1 / 3.0f}));
  return Halide::select(x < 0.0f, -angle, angle);
}

/// Exponents that models have take no logarithm.
Expr power(const Expr& x, const Expr& exponent) {
  const double* constant = Halide::Internal::as_const_float(exponent);
  if (constant == nullptr) return Halide::pow(x, exponent);
  if (*constant == 2) return x * x;
  if (*constant == 3) return x * x * x;
  if (*constant == 0.5) return Halide::sqrt(x);
  return Halide::pow(x, exponent);
}

Expr hard_sigmoid(const Expr& x, float alpha, float beta) {
  return within(alpha * x + beta, 0.0f, 1.0f);
}

/// Hendrycks and Gimpel 2016, and their equation with tanh.
Expr erf_gelu(const Expr& x) { return 0.5f * x * (1.0f + erf_of(x * 0.70710678118f)); }
Expr tanh_gelu(const Expr& x) { return x * sigmoid(1.5957691216f * (x + 0.044715f * x * x * x)); }

/// The first operand, plus a bias where there is one.
Expr biased(const ElementwiseExprOperands& x) {
  return x.size() > 1 && x[1].defined() ? x[0] + x[1] : x[0];
}

Expr clip(const Node& node, const ElementwiseExprOperands& operands) {
  constexpr float kLimit = std::numeric_limits<float>::max();
  const bool has_low = operands.size() > 1 && operands[1].defined();
  const bool has_high = operands.size() > 2 && operands[2].defined();
  const Expr low = has_low ? operands[1] : Expr(float_attribute(node, "min", -kLimit));
  const Expr high = has_high ? operands[2] : Expr(float_attribute(node, "max", kLimit));
  return within(operands[0], low, high);
}

Rule unary(Unary function) {
  return [function](const Node&, const ElementwiseExprOperands& operands) {
    return function(operands[0]);
  };
}

/// Folds any number of operands from the left: Sum, Max and Min take one or more.
Rule folded(Binary function) {
  return [function](const Node&, const ElementwiseExprOperands& operands) {
    Expr value = operands[0];
    for (size_t i = 1; i < operands.size(); ++i) value = function(value, operands[i]);
    return value;
  };
}

Expr mean(const Node&, const ElementwiseExprOperands& operands) {
  Expr sum = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) sum = sum + operands[i];
  return sum / static_cast<float>(operands.size());
}

std::map<std::string, Rule> unary_rules() {
  return {
      {"Relu", unary([](const Expr& x) { return at_least(x, 0.0f); })},
      {"Sigmoid", unary(sigmoid)},
      {"Tanh", unary(tanh_of)},
      {"Softplus", unary(softplus)},
      {"Mish", unary([](const Expr& x) { return x * tanh_of(softplus(x)); })},
      {"HardSwish", unary([](const Expr& x) { return x * hard_sigmoid(x, 1.0f / 6.0f, 0.5f); })},
      {"Erf", unary([](const Expr& x) { return erf_of(x); })},
      {"Exp", unary([](const Expr& x) { return exp_of(x); })},
      {"Sin", unary([](const Expr& x) { return sin_after(x, 0); })},
      {"Cos", unary([](const Expr& x) { return sin_after(x, 1); })},
      {"Tan", unary(tan_of)},
      {"Atan", unary(atan_of)},
      {"Log", unary([](const Expr& x) { return Halide::log(x); })},
      {"Sqrt", unary([](const Expr& x) { return Halide::sqrt(x); })},
      {"Neg", unary([](const Expr& x) { return -x; })},
      {"Abs", unary([](const Expr& x) { return Halide::abs(x); })},
      {"Reciprocal", unary([](const Expr& x) { return 1.0f / x; })},
      {"Floor", unary([](const Expr& x) { return Halide::floor(x); })},
      {"Ceil", unary([](const Expr& x) { return Halide::ceil(x); })},
      {"Round", unary([](const Expr& x) { return Halide::round(x); })},
      {"Identity", unary([](const Expr& x) { return x; })},
      {"Softsign", unary([](const Expr& x) { return x / (1.0f + Halide::abs(x)); })},
      {"Sign", unary([](const Expr& x) {
         const Expr sign = Halide::select(x > 0.0f, 1.0f, Halide::select(x < 0.0f, -1.0f, 0.0f));
         return unless_nan(x, sign);
       })},
  };
}

std::map<std::string, Rule> operand_rules() {
  return {
      {"Add", folded([](const Expr& a, const Expr& b) { return a + b; })},
      {"Sum", folded([](const Expr& a, const Expr& b) { return a + b; })},
      {"Sub", folded([](const Expr& a, const Expr& b) { return a - b; })},
      {"Mul", folded([](const Expr& a, const Expr& b) { return a * b; })},
      {"Div", folded([](const Expr& a, const Expr& b) { return a / b; })},
      {"Max", folded(larger)},
      {"Min", folded(smaller)},
      {"Pow", folded(power)},
      {"PRelu", folded([](const Expr& x, const Expr& slope) {
         return Halide::select(x >= 0.0f, x, x * slope);
       })},
      {"Mean", mean},
      {"Clip", clip},
  };
}

/// Operand `index`; undefined where it is omitted.
Expr optional_operand(const ElementwiseExprOperands& operands, size_t index) {
  return index < operands.size() ? operands[index] : Expr();
}

std::map<std::string, Rule> quantisation_rules() {
  return {
      {"QuantizeLinear",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return quantised(node, x[0], x[1], optional_operand(x, 2));
       }},
      {"DequantizeLinear",
       [](const Node&, const ElementwiseExprOperands& x) {
         return dequantised(x[0], x[1], optional_operand(x, 2));
       }},
  };
}

std::map<std::string, Rule> attribute_rules() {
  return {
      {"LeakyRelu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return Halide::select(x[0] >= 0.0f, x[0], x[0] * float_attribute(node, "alpha", 0.01f));
       }},
      {"ThresholdedRelu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return Halide::select(x[0] > float_attribute(node, "alpha", 1.0f), x[0], 0.0f);
       }},
      {"HardSigmoid",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return hard_sigmoid(x[0], float_attribute(node, "alpha", 0.2f),
                             float_attribute(node, "beta", 0.5f));
       }},
      {"Elu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return elu(x[0], float_attribute(node, "alpha", 1.0f));
       }},
      {"Celu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         const float alpha = float_attribute(node, "alpha", 1.0f);
         return Halide::select(x[0] >= 0.0f, x[0], alpha * elu(x[0] / alpha, 1.0f));
       }},
      {"Selu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return float_attribute(node, "gamma", 1.05070102f) *
                elu(x[0], float_attribute(node, "alpha", 1.67326319f));
       }},
      {"Gelu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         const bool is_tanh = string_attribute(node, "approximate", "none") == "tanh";
         return is_tanh ? tanh_gelu(x[0]) : erf_gelu(x[0]);
       }},
      {"Swish",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return x[0] * sigmoid(x[0] * float_attribute(node, "alpha", 1.0f));
       }},
  };
}

std::map<std::string, Rule> microsoft_rules() {
  const auto exact = [](const Node&, const ElementwiseExprOperands& x) {
    return erf_gelu(biased(x));
  };
  return {
      {"com.microsoft.QLinearAdd",
       [](const Node&, const ElementwiseExprOperands& x) { return quantised_sum(x); }},
      {"com.microsoft.Gelu", exact},
      {"com.microsoft.BiasGelu", exact},
      {"com.microsoft.FastGelu",
       [](const Node&, const ElementwiseExprOperands& x) { return tanh_gelu(biased(x)); }},
      {"com.microsoft.QuickGelu",
       [](const Node& node, const ElementwiseExprOperands& x) {
         return x[0] * sigmoid(x[0] * float_attribute(node, "alpha", 1.702f));
       }},
  };
}

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> kAll = [] {
    std::map<std::string, Rule> result = unary_rules();
    result.merge(operand_rules());
    result.merge(attribute_rules());
    result.merge(quantisation_rules());
    result.merge(microsoft_rules());
    return result;
  }();
  return kAll;
}

}  // namespace

bool has_elementwise_expr(const Node& node) { return rules().contains(full_type(node)); }

bool may_leave_finite(const Node& node) {
  return node.type == "Log" || node.type == "Reciprocal" || node.type == "Div" ||
         node.type == "Pow" || node.type == "Exp";
}

Expr elementwise_expr(const Node& node, const std::vector<Expr>& operands) {
  return rules().at(full_type(node))(node, operands);
}

}  // namespace opbench
