#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/operators/elements/element_type.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {
namespace {

/// Reshape's rule: 0 copies the input's extent (unless allowzero), one -1 takes what is left.
Result<Shape> reshaped(const OperatorCall& call) {
  OPBENCH_TRY(const auto wanted, integers_of(call, "shape", 1));
  if (!wanted) return misfit(call, "shape is missing");
  const Shape& in = shape_of(call, 0);
  const bool keeps_zero = int_attribute(*call.node, "allowzero", 0) != 0;
  Shape shape = *wanted;
  int64_t known = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !keeps_zero && i < in.size()) shape[i] = in[i];
    if (shape[i] >= 0 && __builtin_mul_overflow(known, shape[i], &known)) {
      return misfit(call, fmt::format("shape {} cannot be addressed", shape_text(*wanted)));
    }
  }
  const int64_t total = element_count(in);
  const auto free = std::ranges::find(shape, -1);
  if (free != shape.end() && known > 0 && total % known == 0) *free = total / known;
  if (std::ranges::any_of(shape, [](auto e) { return e < 0; }) || element_count(shape) != total) {
    return misfit(call,
                  fmt::format("{} does not take shape {}", shape_text(in), shape_text(*wanted)));
  }
  return shape;
}

Result<Shape> flattened(const OperatorCall& call) {
  const Shape& in = shape_of(call, 0);
  const int64_t rank = rank_of(call, 0);
  int64_t axis = int_attribute(*call.node, "axis", 1);
  if (axis < -rank || axis > rank) {
    return misfit(call, fmt::format("axis {} is outside rank {}", axis, rank));
  }
  if (axis < 0) axis += rank;
  const int64_t front = element_count({in.begin(), in.begin() + axis});
  return Shape{front, element_count({in.begin() + axis, in.end()})};
}

Result<Shape> squeezed(const OperatorCall& call) {
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 1));
  Shape shape = shape_of(call, 0);
  if (!axes) {
    std::erase(shape, 1);
    return shape;
  }
  for (const int64_t wanted : *axes) {
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    int64_t& extent = shape[static_cast<size_t>(axis)];
    if (extent > 1 || extent == 0) {
      return misfit(call, fmt::format("axis {} has extent {}, not 1", wanted, extent));
    }
    extent = -1;
  }
  std::erase(shape, -1);
  return shape;
}

Result<Shape> unsqueezed(const OperatorCall& call) {
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 1));
  if (!axes) return misfit(call, "axes are missing");
  const int64_t rank = rank_of(call, 0) + static_cast<int64_t>(axes->size());
  Shape shape(static_cast<size_t>(rank), -1);
  for (const int64_t wanted : *axes) {
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank));
    if (shape[static_cast<size_t>(axis)] == 1) {
      return misfit(call, fmt::format("axis {} is given twice", wanted));
    }
    shape[static_cast<size_t>(axis)] = 1;
  }
  auto next = shape_of(call, 0).begin();
  for (int64_t& extent : shape) {
    if (extent == -1) extent = *next++;
  }
  return shape;
}

bool is_zero(const Tensor& tensor) {
  return std::ranges::all_of(tensor.data, [](std::byte b) { return b == std::byte{}; });
}

/// A dropout passes its input on unless it trains: by the operand `training_mode` since opset 12,
/// by the attribute `is_test` being 0 before opset 7. One of ratio 0 drops nothing either way.
Result<void> refuse_training(const OperatorCall& call) {
  if (call.opset < 7 && int_attribute(*call.node, "is_test", 0) == 0) {
    return misfit(call, "is_test 0 (training) is not supported");
  }
  if (!has_input(call, 2)) return {};
  const Tensor* mode = call.constants[2];
  if (mode == nullptr) {
    return misfit(call, fmt::format("training_mode (\"{}\") must be a constant: only false is "
                                    "supported",
                                    call.node->inputs[2]));
  }
  const Tensor* ratio = call.constants[1];
  if (is_zero(*mode) || (ratio != nullptr && is_zero(*ratio))) return {};
  return misfit(call, "training_mode true is not supported");
}

/// A dropout that drops nothing makes a mask of ones, of the input's type before opset 10.
DataType mask_type(const OperatorCall& call) {
  return call.opset < 10 ? call.inputs[0]->data_type : DataType::kBool;
}

Result<std::vector<TensorType>> infer_view(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 3));
  const std::string& type = call.node->type;
  if (type == "Dropout") OPBENCH_CHECK(refuse_training(call));
  const bool has_mask = type == "Dropout" && call.node->outputs.size() == 2;
  OPBENCH_CHECK(require_outputs(call, has_mask ? 2 : 1));
  Result<Shape> shape = shape_of(call, 0);
  if (type == "Reshape") shape = reshaped(call);
  if (type == "Flatten") shape = flattened(call);
  if (type == "Squeeze") shape = squeezed(call);
  if (type == "Unsqueeze") shape = unsqueezed(call);
  if (!shape) return std::move(shape).error();
  std::vector<TensorType> types{{call.inputs[0]->data_type, *shape}};
  if (has_mask) types.push_back({mask_type(call), *shape});
  return types;
}

Result<void> run_view(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  if (size_of(inputs[0].type.data_type) == 0) {
    return misfit(call, fmt::format("does not move {}", name_of(inputs[0].type.data_type)));
  }
  const bool moves = outputs[0].data != nullptr && outputs[0].data != inputs[0].data;
  if (moves && outputs[0].type.size() > 0) {
    std::memcpy(outputs[0].data, inputs[0].data, outputs[0].type.bytes());
  }
  const bool makes_mask = outputs.size() == 2 && outputs[1].data != nullptr;
  if (!makes_mask) return {};
  return with_element(call, outputs[1].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    std::ranges::fill(outputs[1].as<T>(), static_cast<T>(1));
  });
}

/// A dropout whose mask is read: an identity, and a tensor of ones.
bool take_apart_view(const OperatorCall& call, NodeParts& parts) {
  if (call.node->type != "Dropout" || parts.result(1).empty()) return false;
  Tensor one = Tensor::empty({mask_type(call), {1}});
  const auto filled = with_element(call, one.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    one.as<T>()[0] = static_cast<T>(1);
  });
  if (!filled) return false;
  parts.add("kept", "Identity", {parts.operand(0)}, {}, parts.result(0));
  const std::string shape = parts.add("shape", "Shape", {parts.operand(0)});
  parts.add("ones", "ConstantOfShape", {shape}, {{"value", one}}, parts.result(1));
  return true;
}

/// Shapes and axes as inputs; a dropout without its training operands is an identity.
Node view_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (node.type == "Reshape") move_to_input(call, node, "shape", 1, constants);
  if (node.type == "Squeeze" || node.type == "Unsqueeze") {
    move_to_input(call, node, "axes", 1, constants);
  }
  if (node.type == "Dropout") {
    node.type = "Identity";
    node.inputs.resize(1);
    node.outputs.resize(1);
  }
  return node;
}

Attributes view_normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = int_attribute(*call.node, "axis", 1);
  if (call.node->type == "Flatten" && axis != 1) result["axis"] = axis;
  if (int_attribute(*call.node, "allowzero", 0) != 0) result["allowzero"] = int64_t{1};
  return result;
}

}  // namespace

OperatorDef view_operator() {
  return {
      .name = "view",
      .summary = "The same elements under another shape or name",
      .onnx_types = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"},
      .fusion = FusionRole::kView,
      .infer = infer_view,
      .flops = no_flops,
      .run = run_view,
      .normal_form = view_normal_form,
      .attributes = {{"allowzero", int64_t{0}}, {"axis", int64_t{1}}},
      .take_apart = take_apart_view,
      .parameters = {1, 2},
      .modern_form = view_modern_form,
  };
}

}  // namespace opbench
