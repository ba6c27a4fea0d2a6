#include <algorithm>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The extents that Shape gives: [start, end), negative ones counted from the end, clamped.
Shape shape_extents_of(const OperatorCall& call) {
  const Shape& shape = shape_of(call, 0);
  const auto rank = static_cast<int64_t>(shape.size());
  const auto position = [&](const char* name, int64_t otherwise) {
    const int64_t value = int_attribute(*call.node, name, otherwise);
    return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank);
  };
  const int64_t start = position("start", 0);
  const int64_t end = std::max(start, position("end", rank));
  return {shape.begin() + start, shape.begin() + end};
}

Result<std::vector<TensorType>> infer_shape(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  if (call.node->type == "Size") return std::vector<TensorType>{{DataType::kInt64, {}}};
  const auto rank = static_cast<int64_t>(shape_extents_of(call).size());
  return std::vector<TensorType>{{DataType::kInt64, {rank}}};
}

Result<void> shape_run(const OperatorCall& call, std::span<const TensorView>,
                       std::span<const TensorView> outputs) {
  if (call.node->type == "Size") {
    outputs[0].as<int64_t>()[0] = call.inputs[0]->size();
  } else {
    std::ranges::copy(shape_extents_of(call), outputs[0].as<int64_t>().begin());
  }
  return {};
}

Attributes shape_normal_form(const OperatorCall& call) {
  Attributes result;
  for (const char* name : {"start", "end"}) {
    const auto it = call.node->attributes.find(name);
    if (it != call.node->attributes.end() && it->second != Attribute(int64_t{0})) {
      result.insert(*it);
    }
  }
  return result;
}

}  // namespace

OperatorDef shape_operator() {
  return {
      .name = "shape",
      .summary = "Extents or element count of a tensor, known at build time",
      .onnx_types = {"Shape", "Size"},
      .infer = infer_shape,
      .flops = no_flops,
      .run = shape_run,
      .normal_form = shape_normal_form,
      .attributes = {{"end", int64_t{0}}, {"start", int64_t{0}}},
  };
}

}  // namespace opbench
