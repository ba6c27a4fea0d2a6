#include "model/operators/elements/real_values.h"

#include <fmt/format.h>

#include "model/operators/elements/element_type.h"

namespace opbench {

Result<void> require_real(const OperatorCall& call, size_t index) {
  const DataType type = call.inputs[index]->data_type;
  bool is_real = false;
  OPBENCH_CHECK(with_element(call, type, [&](auto zero) { is_real = is_real_v<decltype(zero)>; }));
  if (is_real) return {};
  return misfit(call,
                fmt::format("operand {} is {}, no floating-point numbers", index, name_of(type)));
}

Result<std::vector<TensorType>> truths_of_reals(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_real(call, 0));
  return std::vector<TensorType>{{DataType::kBool, shape_of(call, 0)}};
}

Result<std::vector<double>> real_values(const OperatorCall& call, const TensorView& view) {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(view.type.size()));
  OPBENCH_CHECK(with_element(call, view.type.data_type, [&](auto zero) {
    for (const auto value : view.as<decltype(zero)>()) {
      values.push_back(static_cast<double>(value));
    }
  }));
  return values;
}

}  // namespace opbench
