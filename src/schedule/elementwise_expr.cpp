#include "opbench/schedule/elementwise_expr.h"

#include <halide14/Halide.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace opbench {
namespace {

using Halide::Expr;
using Operands = std::vector<Expr>;
using Rule = std::function<Expr(const Node&, const Operands&)>;
using Unary = Expr (*)(const Expr&);
using Binary = Expr (*)(const Expr&, const Expr&);

Expr sigmoid(const Expr& x) { return 1.0f / (1.0f + Halide::exp(-x)); }

Expr tanh_by_exp(const Expr& x) { return 1.0f - 2.0f / (1.0f + Halide::exp(2.0f * x)); }

/// log(1 + e^x) without overflow for large x.
Expr softplus(const Expr& x) {
  return Halide::max(x, 0.0f) + Halide::log(1.0f + Halide::exp(-Halide::abs(x)));
}

Expr elu(const Expr& x, float alpha) {
  return Halide::select(x >= 0.0f, x, alpha * (Halide::exp(Halide::min(x, 0.0f)) - 1.0f));
}

Expr hard_sigmoid(const Expr& x, float alpha, float beta) {
  return Halide::clamp(alpha * x + beta, 0.0f, 1.0f);
}

/// Hendrycks and Gimpel 2016; `approximate="tanh"` is their equation with tanh.
Expr gelu(const Node& node, const Expr& x) {
  if (string_attribute(node, "approximate", "none") == "tanh")
    return x * sigmoid(1.5957691216f * (x + 0.044715f * x * x * x));
  return 0.5f * x * (1.0f + Halide::erf(x * 0.70710678118f));
}

Expr clip(const Node& node, const Operands& operands) {
  constexpr float kLimit = std::numeric_limits<float>::max();
  const bool has_low = operands.size() > 1 && operands[1].defined();
  const bool has_high = operands.size() > 2 && operands[2].defined();
  const Expr low = has_low ? operands[1] : Expr(float_attribute(node, "min", -kLimit));
  const Expr high = has_high ? operands[2] : Expr(float_attribute(node, "max", kLimit));
  return Halide::min(Halide::max(operands[0], low), high);
}

Rule unary(Unary function) {
  return [function](const Node&, const Operands& operands) { return function(operands[0]); };
}

/// Folds any number of operands from the left: Sum, Max and Min take one or more.
Rule folded(Binary function) {
  return [function](const Node&, const Operands& operands) {
    Expr value = operands[0];
    for (size_t i = 1; i < operands.size(); ++i) value = function(value, operands[i]);
    return value;
  };
}

Expr mean(const Node&, const Operands& operands) {
  Expr sum = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) sum = sum + operands[i];
  return sum / static_cast<float>(operands.size());
}

std::map<std::string, Rule> unary_rules() {
  return {
      {"Relu", unary([](const Expr& x) { return Halide::max(x, 0.0f); })},
      {"Sigmoid", unary(sigmoid)},
      {"Tanh", unary(tanh_by_exp)},
      {"Softplus", unary(softplus)},
      {"Mish", unary([](const Expr& x) { return x * tanh_by_exp(softplus(x)); })},
      {"HardSwish", unary([](const Expr& x) { return x * hard_sigmoid(x, 1.0f / 6.0f, 0.5f); })},
      {"Erf", unary([](const Expr& x) { return Halide::erf(x); })},
      {"Exp", unary([](const Expr& x) { return Halide::exp(x); })},
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
         return Halide::select(x > 0.0f, 1.0f, Halide::select(x < 0.0f, -1.0f, 0.0f));
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
      {"Max", folded([](const Expr& a, const Expr& b) { return Halide::max(a, b); })},
      {"Min", folded([](const Expr& a, const Expr& b) { return Halide::min(a, b); })},
      {"Pow", folded([](const Expr& a, const Expr& b) { return Halide::pow(a, b); })},
      {"PRelu", folded([](const Expr& x, const Expr& slope) {
         return Halide::select(x >= 0.0f, x, x * slope);
       })},
      {"Mean", mean},
      {"Clip", clip},
  };
}

std::map<std::string, Rule> attribute_rules() {
  return {
      {"LeakyRelu",
       [](const Node& node, const Operands& x) {
         return Halide::select(x[0] >= 0.0f, x[0], x[0] * float_attribute(node, "alpha", 0.01f));
       }},
      {"ThresholdedRelu",
       [](const Node& node, const Operands& x) {
         return Halide::select(x[0] > float_attribute(node, "alpha", 1.0f), x[0], 0.0f);
       }},
      {"HardSigmoid",
       [](const Node& node, const Operands& x) {
         return hard_sigmoid(x[0], float_attribute(node, "alpha", 0.2f),
                             float_attribute(node, "beta", 0.5f));
       }},
      {"Elu", [](const Node& node,
                 const Operands& x) { return elu(x[0], float_attribute(node, "alpha", 1.0f)); }},
      {"Celu",
       [](const Node& node, const Operands& x) {
         const float alpha = float_attribute(node, "alpha", 1.0f);
         return Halide::select(x[0] >= 0.0f, x[0], alpha * elu(x[0] / alpha, 1.0f));
       }},
      {"Selu",
       [](const Node& node, const Operands& x) {
         return float_attribute(node, "gamma", 1.05070102f) *
                elu(x[0], float_attribute(node, "alpha", 1.67326319f));
       }},
      {"Gelu", [](const Node& node, const Operands& x) { return gelu(node, x[0]); }},
  };
}

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> kAll = [] {
    std::map<std::string, Rule> result = unary_rules();
    result.merge(operand_rules());
    result.merge(attribute_rules());
    return result;
  }();
  return kAll;
}

}  // namespace

bool has_elementwise_expr(const Node& node) {
  return node.domain.empty() && rules().contains(node.type);
}

bool may_leave_finite(const Node& node) {
  return node.type == "Log" || node.type == "Reciprocal" || node.type == "Div" ||
         node.type == "Pow" || node.type == "Exp";
}

Expr elementwise_expr(const Node& node, const std::vector<Expr>& operands) {
  return rules().at(node.type)(node, operands);
}

}  // namespace opbench
