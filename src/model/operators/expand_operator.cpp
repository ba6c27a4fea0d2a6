#include <algorithm>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_expand(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const Shape wanted, known_integers(call, 1, "shape"));
  if (std::ranges::any_of(wanted, [](int64_t extent) { return extent < 0; })) {
    return misfit(call, "shape " + shape_text(wanted) + " has an extent below 0");
  }
  OPBENCH_TRY(Shape shape, broadcast(call, shape_of(call, 0), wanted));
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_expand(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  return copy_strided(call, inputs[0], 0,
                      broadcast_strides(inputs[0].type.shape, outputs[0].type.shape), outputs[0]);
}

}  // namespace

OperatorDef expand_operator() {
  return {
      .name = "expand",
      .summary = "A tensor repeated along extents of 1",
      .onnx_types = {"Expand"},
      .infer = infer_expand,
      .flops = no_flops,
      .run = run_expand,
      .parameters = {1},
  };
}

}  // namespace opbench
