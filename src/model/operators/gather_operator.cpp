#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"

namespace opbench {
namespace {

Result<int64_t> gather_axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0));
}

Result<std::vector<TensorType>> infer_gather(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const int64_t along, gather_axis(call));
  const Shape& data = shape_of(call, 0);
  const Shape& indices = shape_of(call, 1);
  Shape shape(data.begin(), data.begin() + along);
  shape.insert(shape.end(), indices.begin(), indices.end());
  shape.insert(shape.end(), data.begin() + along + 1, data.end());
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_gather(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, gather_axis(call));
  const Shape& shape = inputs[0].type.shape;
  OPBENCH_TRY(const Integers indices, indices_within(call, inputs[1], shape[along]));
  copy_parts(inputs[0], split_at(shape, along), indices, outputs[0]);
  return {};
}

}  // namespace

OperatorDef gather_operator() {
  return {
      .name = "gather",
      .summary = "Parts of a tensor picked by index along an axis",
      .onnx_types = {"Gather"},
      .infer = infer_gather,
      .flops = no_flops,
      .run = run_gather,
      .attributes = {{"axis", int64_t{0}}},
  };
}

}  // namespace opbench
