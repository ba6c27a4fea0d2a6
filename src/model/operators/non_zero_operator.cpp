#include "model/operators/axes/indices.h"
#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The flat positions of the elements that are not 0.
Result<Integers> non_zero_positions_of(const OperatorCall& call, const TensorView& x) {
  Integers positions;
  OPBENCH_CHECK(with_element(call, x.type.data_type, [&](auto zero) {
    const auto values = x.as<decltype(zero)>();
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) positions.push_back(static_cast<int64_t>(i));
    }
  }));
  return positions;
}

/// [rank, count]; a scalar has no index, so its rank stays 0.
Result<std::vector<TensorType>> infer_non_zero(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const TensorView x, known_view(call, 0, "data"));
  OPBENCH_TRY(const Integers positions, non_zero_positions_of(call, x));
  return std::vector<TensorType>{
      {DataType::kInt64, {rank_of(call, 0), static_cast<int64_t>(positions.size())}}};
}

Result<void> run_non_zero(const OperatorCall& call, std::span<const TensorView> inputs,
                          std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Integers positions, non_zero_positions_of(call, inputs[0]));
  const Shape& shape = inputs[0].type.shape;
  const Integers strides = dense_strides(shape);
  const auto y = outputs[0].as<int64_t>();
  for (size_t d = 0; d < shape.size(); ++d) {
    for (size_t i = 0; i < positions.size(); ++i) {
      y[d * positions.size() + i] = positions[i] / strides[d] % shape[d];
    }
  }
  return {};
}

}  // namespace

OperatorDef non_zero_operator() {
  return {
      .name = "non_zero",
      .summary = "Where elements are not 0, one row of indices for each dimension",
      .onnx_types = {"NonZero"},
      .infer = infer_non_zero,
      .flops = no_flops,
      .run = run_non_zero,
      .parameters = {0},
  };
}

}  // namespace opbench
