#include <fmt/format.h>

#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"

namespace opbench {
namespace {

/// The positions at which the condition holds. It may be shorter than the extent, not longer.
Result<Integers> compress_positions_of(const OperatorCall& call, int64_t extent) {
  OPBENCH_CHECK(require_rank(call, 1, 1, 1));
  OPBENCH_TRY(const Integers condition, known_integers(call, 1, "condition"));
  if (static_cast<int64_t>(condition.size()) > extent) {
    return misfit(
        call, fmt::format("condition of {} is longer than extent {}", condition.size(), extent));
  }
  Integers positions;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] != 0) positions.push_back(static_cast<int64_t>(i));
  }
  return positions;
}

Result<std::vector<TensorType>> infer_compress(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const auto along, axis_if_given(call));
  Shape shape = along ? shape_of(call, 0) : Shape{call.inputs[0]->size()};
  int64_t& extent = shape[static_cast<size_t>(along.value_or(0))];
  OPBENCH_TRY(const Integers positions, compress_positions_of(call, extent));
  extent = static_cast<int64_t>(positions.size());
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_compress(const OperatorCall& call, std::span<const TensorView> inputs,
                          std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto along, axis_if_given(call));
  const AxisSplit split = split_at(inputs[0].type.shape, along);
  OPBENCH_TRY(const Integers positions, compress_positions_of(call, split.length));
  copy_parts(inputs[0], split, positions, outputs[0]);
  return {};
}

/// The axis of a vector says nothing.
Attributes compress_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto along = axis_if_given(call);
  if (along && *along && rank_of(call, 0) != 1) result["axis"] = **along;
  return result;
}

}  // namespace

OperatorDef compress_operator() {
  return {
      .name = "compress",
      .summary = "Parts along an axis where a condition holds",
      .onnx_types = {"Compress"},
      .infer = infer_compress,
      .flops = no_flops,
      .run = run_compress,
      .normal_form = compress_normal_form,
      .attributes = {{"axis", int64_t{0}}},
      .parameters = {1},
  };
}

}  // namespace opbench
