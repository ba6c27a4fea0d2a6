#include "model/operators/axes/indices.h"
#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// Before opset 6, how often along one axis: two numbers of any type.
bool is_along_axis(const OperatorCall& call) { return call.opset < 6 && has_input(call, 2); }

/// How often along every axis.
Result<Integers> repeats_of(const OperatorCall& call) {
  if (!is_along_axis(call)) return known_integers(call, 1, "repeats");
  OPBENCH_TRY(const double tiles, known_number(call, 1, "tiles"));
  OPBENCH_TRY(const double wanted, known_number(call, 2, "axis"));
  OPBENCH_TRY(const int64_t axis, axis_of(call, static_cast<int64_t>(wanted), rank_of(call, 0)));
  if (!(tiles < 0x1p47)) return misfit(call, "repeats make more elements than can be addressed");
  Integers repeats(shape_of(call, 0).size(), 1);
  repeats[static_cast<size_t>(axis)] = static_cast<int64_t>(tiles);
  return repeats;
}

Result<std::vector<TensorType>> infer_tile(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, call.opset < 6 ? 3 : 2));
  OPBENCH_TRY(const Integers repeats, repeats_of(call));
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

Node tile_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  const auto repeats = repeats_of(call);
  if (!is_along_axis(call) || !repeats) return node;
  set_constant_input(node, 1, integer_tensor(*repeats), constants);
  node.inputs.resize(2);
  return node;
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
      .parameters = {1, 2},
      .modern_form = tile_modern_form,
  };
}

}  // namespace opbench
