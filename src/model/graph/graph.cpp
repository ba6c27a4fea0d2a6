#include "model/graph/graph.h"

#include <algorithm>

namespace opbench {

Body::Body(Graph graph) : graph_(std::make_shared<const Graph>(std::move(graph))) {}

bool Body::operator==(const Body& other) const {
  if (graph_ == nullptr || other.graph_ == nullptr) return graph_ == other.graph_;
  return *graph_ == *other.graph_;
}
namespace {

template <class T>
T attribute_or(const Node& node, const std::string& name, T otherwise) {
  const auto it = node.attributes.find(name);
  if (it == node.attributes.end()) return otherwise;
  const T* value = std::get_if<T>(&it->second);
  return value == nullptr ? otherwise : *value;
}

}  // namespace

int64_t int_attribute(const Node& node, const std::string& name, int64_t otherwise) {
  return attribute_or(node, name, otherwise);
}

float float_attribute(const Node& node, const std::string& name, float otherwise) {
  return attribute_or(node, name, otherwise);
}

std::string string_attribute(const Node& node, const std::string& name, std::string otherwise) {
  return attribute_or(node, name, std::move(otherwise));
}

std::vector<int64_t> ints_attribute(const Node& node, const std::string& name,
                                    std::vector<int64_t> otherwise) {
  return attribute_or(node, name, std::move(otherwise));
}

std::map<std::string, std::vector<size_t>> consumers_of(const Graph& graph) {
  std::map<std::string, std::vector<size_t>> consumers;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& input : graph.nodes[i].inputs) {
      auto& list = consumers[input];
      if (!input.empty() && (list.empty() || list.back() != i)) list.push_back(i);
    }
  }
  return consumers;
}

bool is_output(const Graph& graph, std::string_view name) {
  return std::ranges::any_of(graph.outputs, [&](const Value& v) { return v.name == name; });
}

}  // namespace opbench
