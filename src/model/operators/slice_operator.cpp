#include "model/operators/axes/slice_ranges.h"
#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_slice(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 5));
  OPBENCH_TRY(const auto ranges, slice_ranges(call));
  Shape shape;
  for (const SliceRange& range : ranges) shape.push_back(range.count);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_slice(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto ranges, slice_ranges(call));
  Integers strides = dense_strides(inputs[0].type.shape);
  int64_t begin = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    begin += ranges[i].start * strides[i];
    strides[i] *= ranges[i].step;
  }
  return copy_strided(call, inputs[0], begin, strides, outputs[0]);
}

Node slice_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  move_to_input(call, node, "starts", 1, constants);
  move_to_input(call, node, "ends", 2, constants);
  move_to_input(call, node, "axes", 3, constants);
  return node;
}

}  // namespace

OperatorDef slice_operator() {
  return {
      .name = "slice",
      .summary = "A regular part of a tensor",
      .onnx_types = {"Slice"},
      .infer = infer_slice,
      .flops = no_flops,
      .run = run_slice,
      .parameters = {1, 2, 3, 4},
      .modern_form = slice_modern_form,
  };
}

}  // namespace opbench
