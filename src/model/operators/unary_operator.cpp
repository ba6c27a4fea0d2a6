#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// alpha and beta (gamma for Selu) of the call, or the type's defaults.
struct Parameters {
  double alpha = 0;
  double beta = 0;
};

struct UnaryRow {
  const char* type;
  double (*f)(double x, const Parameters& p);
  std::array<AttributeDef, 2> parameters = {};
  int64_t (*whole)(int64_t x) = nullptr;      ///< of signed integers, which need not fit a double
  uint64_t (*natural)(uint64_t x) = nullptr;  ///< of unsigned ones
};

// The least integer has no opposite: it wraps around, as the machine's do.
int64_t opposite(int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }
uint64_t unary_same(uint64_t x) { return x; }

double unary_erf_gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }

/// The approximation by Hendrycks and Gimpel (2016).
double unary_tanh_gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

double unary_softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

/// Half to even, as ONNX defines Round.
double round_even(double x) {
  const double down = std::floor(x);
  const double rest = x - down;
  if (rest != 0.5) return rest < 0.5 ? down : down + 1;
  return std::fmod(down, 2.0) == 0 ? down : down + 1;
}

double elu(double x, const Parameters& p) { return x < 0 ? p.alpha * std::expm1(x) : x; }

double hard_sigmoid(double x, const Parameters& p) {
  return std::clamp(p.alpha * x + p.beta, 0.0, 1.0);
}

double shrink(double x, const Parameters& p) {
  if (x < -p.beta) return x + p.alpha;
  return x > p.beta ? x - p.alpha : 0.0;
}

const std::vector<UnaryRow>& unary_rows() {
  using P = Parameters;
  static const std::vector<UnaryRow> kTable = {
      {"Abs",
       [](double x, const P&) { return std::abs(x); },
       {},
       [](int64_t x) { return x < 0 ? opposite(x) : x; },
       unary_same},
      {"Acos", [](double x, const P&) { return std::acos(x); }},
      {"Acosh", [](double x, const P&) { return std::acosh(x); }},
      {"Asin", [](double x, const P&) { return std::asin(x); }},
      {"Asinh", [](double x, const P&) { return std::asinh(x); }},
      {"Atan", [](double x, const P&) { return std::atan(x); }},
      {"Atanh", [](double x, const P&) { return std::atanh(x); }},
      {"Ceil", [](double x, const P&) { return std::ceil(x); }},
      {"Celu",
       [](double x, const P& p) { return x < 0 ? p.alpha * std::expm1(x / p.alpha) : x; },
       {{{"alpha", 1.0F}}}},
      {"Cos", [](double x, const P&) { return std::cos(x); }},
      {"Cosh", [](double x, const P&) { return std::cosh(x); }},
      {"Elu", elu, {{{"alpha", 1.0F}}}},
      {"Erf", [](double x, const P&) { return std::erf(x); }},
      {"Exp", [](double x, const P&) { return std::exp(x); }},
      {"Floor", [](double x, const P&) { return std::floor(x); }},
      {"Gelu", [](double x, const P&) { return unary_erf_gelu(x); }},
      {"HardSigmoid", hard_sigmoid, {{{"alpha", 0.2F}, {"beta", 0.5F}}}},
      {"HardSwish", [](double x, const P&) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }},
      {"LeakyRelu",
       [](double x, const P& p) { return x < 0 ? p.alpha * x : x; },
       {{{"alpha", 0.01F}}}},
      {"Log", [](double x, const P&) { return std::log(x); }},
      {"Mish", [](double x, const P&) { return x * std::tanh(unary_softplus(x)); }},
      {"Neg",
       [](double x, const P&) { return -x; },
       {},
       opposite,
       [](uint64_t x) { return 0 - x; }},
      {"Not", [](double x, const P&) { return x == 0 ? 1.0 : 0.0; }},
      {"Reciprocal", [](double x, const P&) { return 1 / x; }},
      {"Relu",
       [](double x, const P&) { return x < 0 ? 0.0 : x; },
       {},
       [](int64_t x) { return x < 0 ? int64_t{0} : x; },
       unary_same},
      {"Round", [](double x, const P&) { return round_even(x); }},
      {"Selu",
       [](double x, const P& p) { return p.beta * elu(x, p); },
       {{{"alpha", 1.67326319217681884765625F}, {"gamma", 1.05070102214813232421875F}}}},
      {"Shrink", shrink, {{{"bias", 0.0F}, {"lambd", 0.5F}}}},
      {"Sigmoid", [](double x, const P&) { return 1 / (1 + std::exp(-x)); }},
      {"Sign", [](double x, const P&) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : x); }},
      {"Sin", [](double x, const P&) { return std::sin(x); }},
      {"Sinh", [](double x, const P&) { return std::sinh(x); }},
      {"Softplus", [](double x, const P&) { return unary_softplus(x); }},
      {"Softsign", [](double x, const P&) { return x / (1 + std::abs(x)); }},
      {"Sqrt", [](double x, const P&) { return std::sqrt(x); }},
      {"Swish",
       [](double x, const P& p) { return x / (1 + std::exp(-p.alpha * x)); },
       {{{"alpha", 1.0F}}}},
      {"Tan", [](double x, const P&) { return std::tan(x); }},
      {"Tanh", [](double x, const P&) { return std::tanh(x); }},
      {"ThresholdedRelu",
       [](double x, const P& p) { return x > p.alpha ? x : 0.0; },
       {{{"alpha", 1.0F}}}},
  };
  return kTable;
}

bool is_tanh_gelu(const OperatorCall& call) {
  return call.node->type == "Gelu" && string_attribute(*call.node, "approximate", "none") == "tanh";
}

const UnaryRow& unary_row_of(const OperatorCall& call) {
  static const UnaryRow kTanhGelu{"Gelu",
                                  [](double x, const Parameters&) { return unary_tanh_gelu(x); }};
  if (is_tanh_gelu(call)) return kTanhGelu;
  return *std::ranges::find_if(unary_rows(),
                               [&](const UnaryRow& row) { return row.type == call.node->type; });
}

/// Selu had fewer digits before opset 6.
Attribute unary_default(const OperatorCall& call, const AttributeDef& attribute) {
  if (call.opset >= 6 || call.node->type != "Selu") return attribute.otherwise;
  return attribute.name == "alpha" ? 1.6732F : 1.0507F;
}

double parameter(const OperatorCall& call, const AttributeDef& attribute) {
  if (attribute.name.empty()) return 0;
  const Attribute otherwise = unary_default(call, attribute);
  return float_attribute(*call.node, attribute.name, std::get<float>(otherwise));
}

Result<std::vector<TensorType>> infer_unary(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  if (call.node->type == "Gelu") {
    OPBENCH_CHECK(choice_attribute(call, "approximate", "none", {"none", "tanh"}));
  }
  return same_as_first(call);
}

/// The function of integers like T; null where the row has none.
template <class T>
auto integer_form_of(const UnaryRow& row) {
  if constexpr (std::is_signed_v<T>) {
    return row.whole;
  } else {
    return row.natural;
  }
}

template <class T>
void apply_unary(const UnaryRow& row, const Parameters& p, const TensorView& in,
                 const TensorView& out) {
  const auto x = in.as<T>();
  const auto y = out.as<T>();
  if constexpr (!is_real_v<T>) {
    if (const auto exact = integer_form_of<T>(row); exact != nullptr) {
      for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(exact(x[i]));
      return;
    }
  }
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] = static_cast<T>(row.f(static_cast<double>(x[i]), p));
  }
}

Result<void> run_unary(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  const UnaryRow& row = unary_row_of(call);
  const Parameters p{parameter(call, row.parameters[0]), parameter(call, row.parameters[1])};
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    apply_unary<decltype(zero)>(row, p, inputs[0], outputs[0]);
  });
}

Attributes unary_normal_form(const OperatorCall& call) {
  Attributes result;
  for (const AttributeDef& attribute : unary_row_of(call).parameters) {
    const auto it = call.node->attributes.find(attribute.name);
    if (it != call.node->attributes.end() && it->second != attribute.otherwise) result.insert(*it);
  }
  if (is_tanh_gelu(call)) result["approximate"] = std::string("tanh");
  return result;
}

Node unary_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (call.opset >= 6 || node.type != "Selu") return node;
  for (const AttributeDef& attribute : unary_row_of(call).parameters) {
    node.attributes.emplace(attribute.name, unary_default(call, attribute));
  }
  return node;
}

/// The attributes of all types; each reads its own.
std::vector<AttributeDef> attributes() {
  std::vector<AttributeDef> result;
  for (const char* name : {"alpha", "beta", "bias", "gamma", "lambd"}) {
    result.push_back({name, 0.0F});
  }
  result.push_back({"approximate", std::string("none")});
  return result;
}

std::vector<std::string> unary_types() {
  std::vector<std::string> result;
  for (const UnaryRow& row : unary_rows()) result.emplace_back(row.type);
  return result;
}

/// Gelu, Mish and Swish are younger than opset 17.
int64_t unary_least_opset(const Node& node) {
  if (node.type == "Swish") return 24;
  if (node.type == "Gelu") return 20;
  return node.type == "Mish" ? 18 : 1;
}

}  // namespace

OperatorDef unary_operator() {
  return {
      .name = "unary",
      .summary = "A function of each element: activations, roots, exponentials, rounding",
      .onnx_types = unary_types(),
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_unary,
      .flops = one_per_result,
      .run = run_unary,
      .normal_form = unary_normal_form,
      .attributes = attributes(),
      .domains = {{"Acosh", 0, {1, 3}},
                  {"Atanh", 0, {-0.9F, 0.9F}},
                  {"Log", 0, {0.1F, 2}},
                  {"Reciprocal", 0, {0.5F, 2}},
                  {"Sqrt", 0, {0, 2}}},
      .least_opset = unary_least_opset,
      .modern_form = unary_modern_form,
  };
}

}  // namespace opbench
