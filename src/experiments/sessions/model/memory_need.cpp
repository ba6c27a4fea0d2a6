#include "experiments/sessions/model/memory_need.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system/memory.h"
#include "base/tensors/tensor_size.h"

namespace opbench {
namespace {

struct Need {
  double total = 0;
  double largest = 0;
  std::string largest_text;

  void add(const std::string& name, const TensorType& type, double times) {
    const auto bytes = static_cast<double>(type.bytes());
    total += bytes * times;
    if (bytes <= largest) return;
    largest = bytes;
    largest_text = fmt::format("\"{}\", {} {}: {}", name, name_of(type.data_type),
                               shape_text(type.shape), size_text(bytes));
  }
};

TensorType type_of(const Value& value) {
  TensorType type{value.data_type, {}};
  for (const Dimension& dimension : value.dimensions) type.shape.push_back(dimension.value);
  return type;
}

}  // namespace

Result<void> check_memory(const Graph& graph, const std::string& name,
                          const std::vector<std::string>& weights) {
  Need need;
  for (const Value& input : graph.inputs) {
    const TensorType type = type_of(input);
    if (const auto size = check_size(type); !size) {
      return Error(size.error()).with("in", fmt::format("input \"{}\"", input.name));
    }
    const bool is_weight = std::ranges::find(weights, input.name) != weights.end();
    need.add(input.name, type, is_weight ? 2 : 3);
  }
  for (const auto& [constant, tensor] : graph.constants) need.add(constant, tensor.type, 2);
  for (const Node& node : graph.nodes) {
    for (const std::string& result : node.outputs) {
      const auto type = graph.types.find(result);
      if (type == graph.types.end() || graph.constants.contains(result)) continue;
      need.add(result, type->second, is_output(graph, result) ? 2 : 1);
    }
  }
  auto room = check_room(need.total, fmt::format("\"{}\"", name));
  if (!room) return std::move(room).error().with("largest", need.largest_text);
  return {};
}

double weight_bytes(const Graph& graph) {
  double bytes = 0;
  for (const auto& [name, tensor] : graph.constants) {
    bytes += static_cast<double>(tensor.data.size());
  }
  return bytes;
}

}  // namespace opbench
