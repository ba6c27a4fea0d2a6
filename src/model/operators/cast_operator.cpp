#include <fmt/format.h>

#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The type that the attribute of Cast or the second operand of CastLike names.
Result<DataType> target_of(const OperatorCall& call) {
  if (call.node->type == "CastLike") {
    const DataType type = call.inputs[1]->data_type;
    if (number_of_type(type) != 0) return type;
    return misfit(call, fmt::format("does not cast to {}", name_of(type)));
  }
  const int64_t number = int_attribute(*call.node, "to", 0);
  if (const auto type = type_of_number(number)) return *type;
  if (const std::string word = string_attribute(*call.node, "to", ""); !word.empty()) {
    return misfit(call, fmt::format("does not cast to \"{}\" (opset {})", word, call.opset));
  }
  return misfit(call, fmt::format("does not cast to ONNX type {}", number));
}

Result<std::vector<TensorType>> infer_cast(const OperatorCall& call) {
  const size_t operands = call.node->type == "CastLike" ? 2 : 1;
  OPBENCH_CHECK(require_inputs(call, operands, operands));
  OPBENCH_TRY(const DataType type, target_of(call));
  return std::vector<TensorType>{{type, shape_of(call, 0)}};
}

Result<void> run_cast(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  const bool is_truth = outputs[0].type.data_type == DataType::kBool;
  Result<void> inner;
  OPBENCH_CHECK(with_widened(call, inputs[0], [&](const auto* x) {
    inner = with_element(call, outputs[0].type.data_type, [&](auto to) {
      using To = decltype(to);
      const auto y = outputs[0].as<To>();
      for (size_t i = 0; i < y.size(); ++i) {
        y[i] = is_truth ? static_cast<To>(x[i] != 0) : static_cast<To>(x[i]);
      }
    });
  }));
  return inner;
}

/// A CastLike is a Cast to the type of its second operand, whose values nobody reads.
Node cast_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (node.type != "CastLike" || !has_input(call, 1)) return node;
  node.type = "Cast";
  node.attributes = {{"to", number_of_type(call.inputs[1]->data_type)}};
  node.inputs.resize(1);
  return node;
}

}  // namespace

OperatorDef cast_operator() {
  return {
      .name = "cast",
      .summary = "Elements converted to another type",
      .onnx_types = {"Cast", "CastLike"},
      .infer = infer_cast,
      .flops = one_per_result,
      .run = run_cast,
      .attributes = {{"to", int64_t{0}}},
      .modern_form = cast_modern_form,
  };
}

}  // namespace opbench
