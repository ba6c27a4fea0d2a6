#include <fmt/format.h>

#include <array>

#include "model/operators/element_type.h"

namespace opbench {
namespace {

/// ONNX's numbers of the element types (TensorProto.DataType).
struct TypeNumber {
  int64_t number;
  DataType type;
};
constexpr std::array kNumbers = {
    TypeNumber{1, DataType::kFloat32},   TypeNumber{2, DataType::kUint8},
    TypeNumber{3, DataType::kInt8},      TypeNumber{4, DataType::kUint16},
    TypeNumber{5, DataType::kInt16},     TypeNumber{6, DataType::kInt32},
    TypeNumber{7, DataType::kInt64},     TypeNumber{9, DataType::kBool},
    TypeNumber{10, DataType::kFloat16},  TypeNumber{11, DataType::kFloat64},
    TypeNumber{12, DataType::kUint32},   TypeNumber{13, DataType::kUint64},
    TypeNumber{16, DataType::kBFloat16},
};

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  const int64_t number = int_attribute(*call.node, "to", 0);
  for (const TypeNumber& known : kNumbers) {
    if (known.number != number) continue;
    return std::vector<TensorType>{{known.type, shape_of(call, 0)}};
  }
  return misfit(call, fmt::format("does not cast to ONNX type {}", number));
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  const bool is_truth = outputs[0].type.data_type == DataType::kBool;
  Result<void> inner;
  OPBENCH_CHECK(with_element(call, inputs[0].type.data_type, [&](auto from) {
    inner = with_element(call, outputs[0].type.data_type, [&](auto to) {
      using To = decltype(to);
      const auto x = inputs[0].as<decltype(from)>();
      const auto y = outputs[0].as<To>();
      for (size_t i = 0; i < y.size(); ++i) {
        y[i] = is_truth ? static_cast<To>(x[i] != 0) : static_cast<To>(x[i]);
      }
    });
  }));
  return inner;
}

}  // namespace

OperatorDef cast_operator() {
  return {
      .name = "cast",
      .summary = "Elements converted to another type",
      .onnx_types = {"Cast"},
      .infer = infer,
      .flops = one_per_result,
      .run = run,
      .attributes = {{"to", int64_t{0}}},
  };
}

}  // namespace opbench
