#include <fmt/format.h>

#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The type of the input where the node names none.
Result<DataType> type_of(const OperatorCall& call) {
  if (!call.node->attributes.contains("dtype")) return call.inputs[0]->data_type;
  const int64_t number = int_attribute(*call.node, "dtype", 0);
  if (const auto type = type_of_number(number)) return *type;
  return misfit(call, fmt::format("does not make ONNX type {}", number));
}

Result<std::vector<TensorType>> infer_eye_like(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_rank(call, 0, 2, 2));
  OPBENCH_TRY(const DataType type, type_of(call));
  return std::vector<TensorType>{{type, shape_of(call, 0)}};
}

/// Ones where column - row is k.
Result<void> run_eye_like(const OperatorCall& call, std::span<const TensorView>,
                          std::span<const TensorView> outputs) {
  const int64_t diagonal = int_attribute(*call.node, "k", 0);
  const int64_t columns = outputs[0].type.shape[1];
  return with_element(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      y[i] = static_cast<T>(at % columns - at / columns == diagonal ? 1 : 0);
    }
  });
}

Attributes eye_like_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto type = type_of(call);
  if (type && *type != call.inputs[0]->data_type) result["dtype"] = number_of_type(*type);
  if (const int64_t k = int_attribute(*call.node, "k", 0); k != 0) result["k"] = k;
  return result;
}

}  // namespace

OperatorDef eye_like_operator() {
  return {
      .name = "eye_like",
      .summary = "Ones on a diagonal, zeros elsewhere, in the shape of a matrix",
      .onnx_types = {"EyeLike"},
      .infer = infer_eye_like,
      .flops = no_flops,
      .run = run_eye_like,
      .normal_form = eye_like_normal_form,
      .attributes = {{"dtype", int64_t{0}}, {"k", int64_t{0}}},
  };
}

}  // namespace opbench
