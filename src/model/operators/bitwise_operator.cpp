#include <fmt/format.h>

#include <array>
#include <limits>
#include <type_traits>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

bool is_not(const OperatorCall& call) { return call.node->type == "BitwiseNot"; }
bool is_shift(const OperatorCall& call) { return call.node->type == "BitShift"; }

/// Shifts take unsigned integers only.
Result<void> check_type(const OperatorCall& call, size_t index) {
  const DataType type = call.inputs[index]->data_type;
  bool fits = false;
  OPBENCH_CHECK(with_element(call, type, [&](auto zero) {
    using T = decltype(zero);
    fits = std::is_integral_v<T> && type != DataType::kBool &&
           (!is_shift(call) || std::is_unsigned_v<T>);
  }));
  if (!fits || type != call.inputs[0]->data_type) {
    return misfit(call, fmt::format("operand {} is {}, not {}", index, name_of(type),
                                    fits ? name_of(call.inputs[0]->data_type)
                                         : (is_shift(call) ? "an unsigned integer type"
                                                           : "an integer type")));
  }
  return {};
}

Result<std::vector<TensorType>> infer_bitwise(const OperatorCall& call) {
  const size_t operands = is_not(call) ? 1 : 2;
  OPBENCH_CHECK(require_inputs(call, operands, operands));
  for (size_t i = 0; i < operands; ++i) OPBENCH_CHECK(check_type(call, i));
  if (is_shift(call)) {
    OPBENCH_CHECK(choice_attribute(call, "direction", "", {"LEFT", "RIGHT"}));
  }
  OPBENCH_TRY(Shape shape, broadcast_inputs(call));
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// A shift by all bits or more leaves 0.
template <class T>
T shift_left(T a, T bits) {
  return static_cast<uint64_t>(bits) < std::numeric_limits<T>::digits ? static_cast<T>(a << bits)
                                                                      : T{0};
}

template <class T>
T shift_right(T a, T bits) {
  return static_cast<uint64_t>(bits) < std::numeric_limits<T>::digits ? static_cast<T>(a >> bits)
                                                                      : T{0};
}

template <class T>
using Function = T (*)(T a, T b);

template <class T>
Function<T> bitwise_function_of(const OperatorCall& call) {
  const std::string& type = call.node->type;
  if (type == "BitwiseAnd") return [](T a, T b) { return static_cast<T>(a & b); };
  if (type == "BitwiseOr") return [](T a, T b) { return static_cast<T>(a | b); };
  if (type == "BitwiseXor") return [](T a, T b) { return static_cast<T>(a ^ b); };
  if (is_not(call)) return [](T a, T) { return static_cast<T>(~a); };
  const bool is_left = string_attribute(*call.node, "direction", "") == "LEFT";
  return is_left ? shift_left<T> : shift_right<T>;
}

template <class T>
void apply_bitwise(Function<T> f, const TensorView& a, const TensorView& b, const TensorView& out) {
  const Shape& shape = out.type.shape;
  const std::array<Integers, 2> strides{broadcast_strides(a.type.shape, shape),
                                        broadcast_strides(b.type.shape, shape)};
  const T* left = static_cast<const T*>(a.data);
  const T* right = static_cast<const T*>(b.data);
  T* y = static_cast<T*>(out.data);
  for_each_row<2>(shape, strides, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      y[first + i] =
          f(left[at[0] + i * last_stride(strides[0])], right[at[1] + i * last_stride(strides[1])]);
    }
  });
}

Result<void> run_bitwise(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      apply_bitwise(bitwise_function_of<T>(call), inputs[0], inputs[is_not(call) ? 0 : 1],
                    outputs[0]);
    }
  });
}

int64_t bitwise_least_opset(const Node& node) { return node.type == "BitShift" ? 1 : 18; }

}  // namespace

OperatorDef bitwise_operator() {
  return {
      .name = "bitwise",
      .summary = "And, or, exclusive or, complement and shifts of the bits of integers",
      .onnx_types = {"BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor"},
      .infer = infer_bitwise,
      .flops = one_per_result,
      .run = run_bitwise,
      .attributes = {{"direction", std::string()}},
      .least_opset = bitwise_least_opset,
  };
}

}  // namespace opbench
