#include <cstring>

#include "model/operators/indices.h"

namespace opbench {
namespace {

Result<int64_t> axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0));
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const int64_t along, axis(call));
  const Shape& data = shape_of(call, 0);
  const Shape& indices = shape_of(call, 1);
  Shape shape(data.begin(), data.begin() + along);
  shape.insert(shape.end(), indices.begin(), indices.end());
  shape.insert(shape.end(), data.begin() + along + 1, data.end());
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, axis(call));
  const Shape& shape = inputs[0].type.shape;
  OPBENCH_TRY(const Integers indices, indices_within(call, inputs[1], shape[along]));
  const auto inner = static_cast<size_t>(element_count({shape.begin() + along + 1, shape.end()})) *
                     size_of(inputs[0].type.data_type);
  const auto outer = static_cast<size_t>(element_count({shape.begin(), shape.begin() + along}));
  const auto extent = static_cast<size_t>(shape[along]);
  const auto* in = static_cast<const std::byte*>(inputs[0].data);
  auto* out = static_cast<std::byte*>(outputs[0].data);
  if (inner == 0) return {};
  for (size_t o = 0; o < outer; ++o) {
    for (const int64_t index : indices) {
      std::memcpy(out, in + (o * extent + static_cast<size_t>(index)) * inner, inner);
      out += inner;
    }
  }
  return {};
}

}  // namespace

OperatorDef gather_operator() {
  return {
      .name = "gather",
      .summary = "Parts of a tensor picked by index along an axis",
      .onnx_types = {"Gather"},
      .infer = infer,
      .flops = no_flops,
      .run = run,
      .attributes = {{"axis", int64_t{0}}},
  };
}

}  // namespace opbench
