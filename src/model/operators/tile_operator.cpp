#include "model/operators/element_type.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_tile(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const Integers repeats, known_integers(call, 1, "repeats"));
  Shape shape = shape_of(call, 0);
  if (repeats.size() != shape.size()) {
    return misfit(call, "repeats do not fit " + shape_text(shape));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (repeats[i] < 0) return misfit(call, "a repeat is below 0");
    if (__builtin_mul_overflow(shape[i], repeats[i], &shape[i])) {
      return misfit(call, "repeats make more elements than can be addressed");
    }
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// The output seen as [repeats, extent, repeats, extent, …], along whose repeats the input stands
/// still.
Result<void> run_tile(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  const Shape& in = inputs[0].type.shape;
  const Integers in_strides = dense_strides(in);
  TensorView out = outputs[0];
  Integers strides;
  Shape split;
  for (size_t i = 0; i < in.size(); ++i) {
    split.push_back(in[i] == 0 ? 0 : outputs[0].type.shape[i] / in[i]);
    strides.push_back(0);
    split.push_back(in[i]);
    strides.push_back(in_strides[i]);
  }
  out.type.shape = split;
  return copy_strided(call, inputs[0], 0, strides, out);
}

}  // namespace

OperatorDef tile_operator() {
  return {
      .name = "tile",
      .summary = "A tensor laid side by side with itself",
      .onnx_types = {"Tile"},
      .infer = infer_tile,
      .flops = no_flops,
      .run = run_tile,
      .parameters = {1},
  };
}

}  // namespace opbench
