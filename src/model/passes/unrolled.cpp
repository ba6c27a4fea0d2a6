#include "model/passes/unrolled.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/passes/evaluate.h"

namespace opbench {
namespace {

/// From opset 13 on the axes are an input.
constexpr int64_t kAxesAreAnInput = 13;

Node unsqueeze(Graph& graph, int64_t opset, const std::string& from, const std::string& to,
               int64_t axis) {
  Node node{to, "Unsqueeze", "", {from}, {to}, {}};
  if (opset < kAxesAreAnInput) {
    node.attributes["axes"] = std::vector<int64_t>{axis};
  } else {
    Tensor axes = Tensor::of<int64_t>(DataType::kInt64, {1}, {&axis, 1});
    node.inputs.push_back(add_constant(graph, to + "/axes", std::move(axes)));
  }
  return node;
}

/// The type of an output that no iteration made.
Result<TensorType> type_without_iterations(const Value& declared, int64_t axis) {
  const bool is_open = declared.data_type == DataType::kUndefined || !declared.has_shape ||
                       std::ranges::any_of(declared.dimensions, &Dimension::is_free);
  if (is_open) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("has no iteration, and its body does not state the extents of \"{}\"",
                             declared.name)};
  }
  TensorType type{declared.data_type, {}};
  for (const Dimension& dimension : declared.dimensions) type.shape.push_back(dimension.value);
  const auto rank = std::ssize(type.shape) + 1;
  const int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("stacks along axis {}, which is outside rank {}", axis, rank)};
  }
  type.shape.insert(type.shape.begin() + place, 0);
  return type;
}

}  // namespace

Result<void> check_unrolled_nodes(int64_t iterations, size_t each, size_t made) {
  const size_t room = kMostUnrolledNodes > made ? kMostUnrolledNodes - made : 0;
  if (each == 0 || iterations <= static_cast<int64_t>(room / each)) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("makes more than {} nodes of the loops", kMostUnrolledNodes)};
}

Result<void> add_stacked(Graph& graph, int64_t opset, const StackedValue& value,
                         const Value& declared, std::vector<Node>& nodes) {
  if (value.parts.empty()) {
    OPBENCH_TRY(const TensorType type, type_without_iterations(declared, value.axis));
    const std::string none = add_constant(graph, value.name + "/none", Tensor::empty(type));
    nodes.push_back({value.name, "Identity", "", {none}, {value.name}, {}});
    return {};
  }
  Node concat{value.name, "Concat", "", {}, {value.name}, {{"axis", value.axis}}};
  for (size_t i = 0; i < value.parts.size(); ++i) {
    const std::string part = fmt::format("{}/part{}", value.name, i);
    nodes.push_back(unsqueeze(graph, opset, value.parts[i], part, value.axis));
    concat.inputs.push_back(part);
  }
  nodes.push_back(std::move(concat));
  return {};
}

std::string add_scalar(Graph& graph, const std::string& name, int64_t value) {
  return add_constant(graph, name, Tensor::of<int64_t>(DataType::kInt64, {}, {&value, 1}));
}

}  // namespace opbench
