#include "model/graph/constant_nodes.h"

#include <fmt/format.h>

#include <optional>

namespace opbench {
namespace {

template <class T>
Tensor scalar(DataType type, const T& value) {
  return Tensor::of<T>(type, {}, {&value, 1});
}

template <class T>
Tensor list(DataType type, const std::vector<T>& values) {
  return Tensor::of<T>(type, {static_cast<int64_t>(values.size())}, values);
}

std::optional<Tensor> constant_of(Node& node) {
  if (node.type != "Constant" || !node.domain.empty() || node.outputs.size() != 1) return {};
  for (auto& [name, attribute] : node.attributes) {
    if (auto* tensor = std::get_if<Tensor>(&attribute)) return std::move(*tensor);
    if (const auto* value = std::get_if<int64_t>(&attribute)) {
      return scalar(DataType::kInt64, *value);
    }
    if (const auto* value = std::get_if<float>(&attribute)) {
      return scalar(DataType::kFloat32, *value);
    }
    if (const auto* values = std::get_if<std::vector<int64_t>>(&attribute)) {
      return list(DataType::kInt64, *values);
    }
    if (const auto* values = std::get_if<std::vector<float>>(&attribute)) {
      return list(DataType::kFloat32, *values);
    }
  }
  return {};
}

}  // namespace

Result<void> take_constants(Graph& graph) {
  std::vector<Node> others;
  for (Node& node : graph.nodes) {
    auto tensor = constant_of(node);
    if (!tensor) {
      others.push_back(std::move(node));
    } else if (!graph.constants.emplace(node.outputs.front(), std::move(*tensor)).second) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("node \"{}\" (Constant) makes the value \"{}\", which exists",
                               node.name, node.outputs.front())};
    }
  }
  graph.nodes = std::move(others);
  return {};
}

}  // namespace opbench
