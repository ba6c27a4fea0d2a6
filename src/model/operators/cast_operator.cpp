#include <fmt/format.h>

#include "model/operators/element_number.h"
#include "model/operators/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  const int64_t number = int_attribute(*call.node, "to", 0);
  const auto type = type_of_number(number);
  if (!type) return misfit(call, fmt::format("does not cast to ONNX type {}", number));
  return std::vector<TensorType>{{*type, shape_of(call, 0)}};
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
