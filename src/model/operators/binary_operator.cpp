#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/modern_form/old_alignment.h"

namespace opbench {
namespace {

enum class Kind { kArithmetic, kVariadic, kComparison, kLogical };

struct BinaryRow {
  const char* type;
  Kind kind;
  double (*real)(double a, double b);
  int64_t (*whole)(int64_t a, int64_t b);
  uint64_t (*natural)(uint64_t a,
                      uint64_t b);  ///< of unsigned integers, whose upper half has no sign
};

double added(double a, double b) { return a + b; }
double subtracted(double a, double b) { return a - b; }
double multiplied(double a, double b) { return a * b; }

// Integers wrap around, as the machine's do.
int64_t sum_of(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t difference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

uint64_t natural_sum(uint64_t a, uint64_t b) { return a + b; }
uint64_t natural_difference(uint64_t a, uint64_t b) { return a - b; }
uint64_t natural_product(uint64_t a, uint64_t b) { return a * b; }

/// Quotient of integers towards zero, and 0 for a division by zero, which has no value.
int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : (b == -1 ? difference(0, a) : a / b); }
uint64_t natural_quotient(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; }

/// Remainder with the sign of the dividend (C's), as Mod has with fmod=1.
int64_t remainder(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/// Remainder with the sign of the divisor (Python's), as Mod has with fmod=0.
int64_t modulo(int64_t a, int64_t b) {
  const int64_t rest = remainder(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Of numbers without a sign, the two remainders are one.
uint64_t natural_remainder(uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; }

uint64_t natural_power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1U, base *= base) {
    if ((exponent & 1U) != 0) result *= base;
  }
  return result;
}

/// Powers wrap around as products do. Of negative exponents the fraction is lost.
int64_t power(int64_t a, int64_t b) {
  if (b >= 0) {
    return static_cast<int64_t>(natural_power(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  }
  if (a == 1) return 1;
  if (a == -1) return b % 2 == 0 ? 1 : -1;
  return 0;
}

/// The exponent may be a signed one: in its upper half it is negative.
uint64_t natural_power_of(uint64_t a, uint64_t b) {
  if (b > INT64_MAX) return a == 1 ? 1 : 0;
  return natural_power(a, b);
}

template <class T>
T largest(T a, T b) {
  return a > b || a != a ? a : b;
}

template <class T>
T smallest(T a, T b) {
  return a < b || a != a ? a : b;
}

/// All forms of a function of two numbers.
#define OPBENCH_EACH(expression)                                                        \
  [](double a, double b) -> double { return static_cast<double>(expression); },         \
      [](int64_t a, int64_t b) -> int64_t { return static_cast<int64_t>(expression); }, \
      [](uint64_t a, uint64_t b) -> uint64_t { return static_cast<uint64_t>(expression); }

const std::vector<BinaryRow>& binary_rows() {
  static const std::vector<BinaryRow> kTable = {
      {"Add", Kind::kArithmetic, added, sum_of, natural_sum},
      {"And", Kind::kLogical, OPBENCH_EACH(a != 0 && b != 0)},
      {"Div", Kind::kArithmetic, [](double a, double b) { return a / b; }, quotient,
       natural_quotient},
      {"Equal", Kind::kComparison, OPBENCH_EACH(a == b)},
      {"Greater", Kind::kComparison, OPBENCH_EACH(a > b)},
      {"GreaterOrEqual", Kind::kComparison, OPBENCH_EACH(a >= b)},
      {"Less", Kind::kComparison, OPBENCH_EACH(a < b)},
      {"LessOrEqual", Kind::kComparison, OPBENCH_EACH(a <= b)},
      {"Max", Kind::kVariadic, OPBENCH_EACH(largest(a, b))},
      {"Mean", Kind::kVariadic, added, sum_of, natural_sum},
      {"Min", Kind::kVariadic, OPBENCH_EACH(smallest(a, b))},
      {"Mod", Kind::kArithmetic, [](double a, double b) { return std::fmod(a, b); }, remainder,
       natural_remainder},
      {"Mul", Kind::kArithmetic, multiplied, product, natural_product},
      {"Or", Kind::kLogical, OPBENCH_EACH(a != 0 || b != 0)},
      {"Pow", Kind::kArithmetic, [](double a, double b) { return std::pow(a, b); }, power,
       natural_power_of},
      {"Sub", Kind::kArithmetic, subtracted, difference, natural_difference},
      {"Sum", Kind::kVariadic, added, sum_of, natural_sum},
      {"Xor", Kind::kLogical, OPBENCH_EACH((a != 0) != (b != 0))},
  };
  return kTable;
}

#undef OPBENCH_EACH

bool is_floating(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat64 || type == DataType::kFloat16 ||
         type == DataType::kBFloat16;
}

bool is_floored_mod(const OperatorCall& call) {
  return call.node->type == "Mod" && int_attribute(*call.node, "fmod", 0) == 0;
}

const BinaryRow& binary_row_of(const OperatorCall& call) {
  static const BinaryRow kFlooredMod{"Mod", Kind::kArithmetic, nullptr, modulo, natural_remainder};
  if (is_floored_mod(call)) return kFlooredMod;
  return *std::ranges::find_if(binary_rows(),
                               [&](const BinaryRow& row) { return row.type == call.node->type; });
}

Result<void> check_types(const OperatorCall& call) {
  if (call.node->type == "Pow") return {};
  const DataType first = call.inputs[0]->data_type;
  for (const TensorType* input : call.inputs) {
    if (input == nullptr || input->data_type == first) continue;
    return misfit(call,
                  fmt::format("operands are {} and {}", name_of(first), name_of(input->data_type)));
  }
  return {};
}

Result<std::vector<TensorType>> infer_binary(const OperatorCall& call) {
  const Kind kind = binary_row_of(call).kind;
  const bool is_variadic = kind == Kind::kVariadic;
  OPBENCH_CHECK(require_inputs(call, is_variadic ? 1 : 2, is_variadic ? call.inputs.size() : 2));
  OPBENCH_CHECK(check_types(call));
  OPBENCH_CHECK(require_alignment(call));
  const DataType type = call.inputs[0]->data_type;
  if (is_floored_mod(call) && is_floating(type)) {
    return misfit(call, fmt::format("{} operands need fmod=1", name_of(type)));
  }
  OPBENCH_TRY(Shape shape, broadcast_inputs(call));
  const bool is_truth = kind == Kind::kComparison || kind == Kind::kLogical;
  return std::vector<TensorType>{{is_truth ? DataType::kBool : type, shape}};
}

/// One for each pair of operands met, and the quotient of a mean.
double binary_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const size_t steps = call.inputs.size() - (call.node->type == "Mean" ? 0 : 1);
  return static_cast<double>(outputs[0].size()) * static_cast<double>(steps);
}

template <class T>
auto binary_function_of(const BinaryRow& row) {
  if constexpr (is_real_v<T>) {
    return row.real;
  } else if constexpr (std::is_unsigned_v<T>) {
    return row.natural;
  } else {
    return row.whole;
  }
}

/// What elements of T are computed in.
template <class T>
using BinaryWide = std::conditional_t<is_real_v<T>, double,
                                      std::conditional_t<std::is_unsigned_v<T>, uint64_t, int64_t>>;

/// out = f(a, b) with A and B read as the output's shape; `out` may be `a`.
template <class A, class B, class Y>
void combine(const BinaryRow& row, const TensorView& a, const TensorView& b,
             const TensorView& out) {
  using Wide = BinaryWide<A>;
  const auto f = binary_function_of<A>(row);
  const Integers a_strides = broadcast_strides(a.type.shape, out.type.shape);
  const Integers b_strides = broadcast_strides(b.type.shape, out.type.shape);
  const A* in_a = static_cast<const A*>(a.data);
  const B* in_b = static_cast<const B*>(b.data);
  Y* y = static_cast<Y*>(out.data);
  const int64_t a_step = last_stride(a_strides);
  const int64_t b_step = last_stride(b_strides);
  for_each_row<2>(out.type.shape, {a_strides, b_strides},
                  [&](int64_t first, auto at, int64_t count) {
                    for (int64_t i = 0; i < count; ++i) {
                      y[first + i] = static_cast<Y>(f(static_cast<Wide>(in_a[at[0] + i * a_step]),
                                                      static_cast<Wide>(in_b[at[1] + i * b_step])));
                    }
                  });
}

template <class Wide>
Result<std::vector<Wide>> widened_elements(const OperatorCall& call, const TensorView& view) {
  std::vector<Wide> wide;
  OPBENCH_CHECK(with_element(call, view.type.data_type, [&](auto zero) {
    for (const auto value : view.as<decltype(zero)>()) wide.push_back(static_cast<Wide>(value));
  }));
  return wide;
}

TensorView with_data(TensorView view, void* data) {
  view.data = data;
  return view;
}

/// out = base ^ exponent. The exponent has a type of its own: it is widened first, so that there is
/// one loop for each type of the base, not one for each pair of types. A whole number to the power
/// of a fraction is computed as real numbers are.
template <class T>
Result<void> combine_power(const OperatorCall& call, const BinaryRow& row,
                           std::span<const TensorView> inputs, const TensorView& out) {
  if constexpr (!is_real_v<T>) {
    if (is_floating(inputs[1].type.data_type)) {
      OPBENCH_TRY(auto base, widened_elements<double>(call, inputs[0]));
      OPBENCH_TRY(auto exponent, widened_elements<double>(call, inputs[1]));
      combine<double, double, T>(row, with_data(inputs[0], base.data()),
                                 with_data(inputs[1], exponent.data()), out);
      return {};
    }
  }
  using Wide = BinaryWide<T>;
  OPBENCH_TRY(auto exponent, widened_elements<Wide>(call, inputs[1]));
  combine<T, Wide, T>(row, inputs[0], with_data(inputs[1], exponent.data()), out);
  return {};
}

template <class T>
void combine_all(const OperatorCall& call, std::span<const TensorView> inputs,
                 const TensorView& out) {
  const BinaryRow& row = binary_row_of(call);
  if (inputs.size() == 1) {
    std::ranges::copy(inputs[0].as<T>(), out.as<T>().begin());
  } else {
    combine<T, T, T>(row, inputs[0], inputs[1], out);
  }
  for (size_t i = 2; i < inputs.size(); ++i) combine<T, T, T>(row, out, inputs[i], out);
  if (call.node->type != "Mean") return;
  for (T& value : out.as<T>()) value = static_cast<T>(value / static_cast<T>(inputs.size()));
}

Result<void> run_binary(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  const BinaryRow& row = binary_row_of(call);
  const bool is_truth = row.kind == Kind::kComparison || row.kind == Kind::kLogical;
  Result<void> inner;
  OPBENCH_CHECK(with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    if (is_truth) {
      combine<T, T, uint8_t>(row, inputs[0], inputs[1], outputs[0]);
    } else if (call.node->type == "Pow") {
      inner = combine_power<T>(call, row, inputs, outputs[0]);
    } else {
      combine_all<T>(call, inputs, outputs[0]);
    }
  }));
  return inner;
}

/// A sum of two is an Add, so that equal computations have equal texts.
Node binary_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (node.type == "Sum" && node.inputs.size() == 2) node.type = "Add";
  return node;
}

std::vector<std::string> binary_types() {
  std::vector<std::string> result;
  for (const BinaryRow& row : binary_rows()) result.emplace_back(row.type);
  return result;
}

}  // namespace

OperatorDef binary_operator() {
  return {
      .name = "binary",
      .summary = "A function of the elements of two or more tensors, broadcast together",
      .onnx_types = binary_types(),
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_binary,
      .flops = binary_flops,
      .run = run_binary,
      .attributes = {{"fmod", int64_t{0}}},
      .domains = {{"Div", 1, {0.5F, 2}}, {"Mod", 1, {0.5F, 2}}, {"Pow", 0, {0.1F, 2}}},
      .modern_form = binary_modern_form,
  };
}

}  // namespace opbench
