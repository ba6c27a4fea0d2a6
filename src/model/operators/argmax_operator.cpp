#include "model/operators/order/extreme_positions.h"

namespace opbench {
namespace {

Result<int64_t> argmax_axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0));
}

Result<std::vector<TensorType>> infer_argmax(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_TRY(const int64_t along, argmax_axis(call));
  Shape shape = shape_of(call, 0);
  shape[along] = 1;
  if (int_attribute(*call.node, "keepdims", 1) == 0) shape.erase(shape.begin() + along);
  return std::vector<TensorType>{{DataType::kInt64, shape}};
}

double argmax_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

Result<void> run_argmax(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, argmax_axis(call));
  const AxisSplit split = split_at(inputs[0].type.shape, along);
  const ExtremeKind kind = {.is_max = call.node->type == "ArgMax",
                            .takes_last = int_attribute(*call.node, "select_last_index", 0) != 0};
  auto* y = static_cast<int64_t*>(outputs[0].data);
  if (split.length == 0) return {};
  return find_extremes(call, inputs[0], split, kind, y);
}

}  // namespace

OperatorDef argmax_operator() {
  return {
      .name = "argmax",
      .summary = "Where the largest or smallest element along an axis is",
      .onnx_types = {"ArgMax", "ArgMin"},
      .infer = infer_argmax,
      .flops = argmax_flops,
      .run = run_argmax,
      .attributes = {{"axis", int64_t{0}},
                     {"keepdims", int64_t{1}},
                     {"select_last_index", int64_t{0}}},
  };
}

}  // namespace opbench
