#include "model/judging/tolerance.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/tensors/tensor_difference.h"
#include "model/judging/exact_values.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

constexpr double kFullRounding = 0x1p-23;
constexpr double kFloat16Rounding = 0x1p-10;
constexpr double kBFloat16Rounding = 0x1p-7;

/// `QuantizeLinear`, `DynamicQuantizeLinear`, `QLinearConv`, `QLinearAdd`, …
bool quantizes(const Node& node) {
  return node.type == "QuantizeLinear" || node.type == "DynamicQuantizeLinear" ||
         node.type.starts_with("QLinear");
}

/// The largest scale of the values that a quantizing node makes; nothing where it is no constant.
std::optional<double> scale_made_by(const Node& node, const Graph& graph) {
  const size_t place = node.type.starts_with("QLinear") ? 6 : 1;
  if (place >= node.inputs.size()) return {};
  const auto scale = graph.constants.find(node.inputs[place]);
  if (scale == graph.constants.end()) return {};
  const double largest = largest_magnitude(scale->second);
  return largest > 0 ? std::optional(largest) : std::nullopt;
}

bool is_half(DataType type) { return type == DataType::kFloat16 || type == DataType::kBFloat16; }
double rounding_of(DataType type) {
  if (type == DataType::kFloat16) return kFloat16Rounding;
  return type == DataType::kBFloat16 ? kBFloat16Rounding : kFullRounding;
}

}  // namespace

Tolerance tolerance_of(const Graph& graph, const std::string& name, DataType type,
                       const std::function<bool(const std::string&)>& is_known,
                       const Tolerances& tolerances) {
  Tolerance result{tolerances.full, rounding_of(type), 0};
  if (is_half(type)) result.relative = std::max(result.relative, tolerances.half);
  for (const Node* node : nodes_between(graph, is_known, {name})) {
    if (quantizes(*node)) {
      result.relative = std::max(result.relative, tolerances.quantized);
      result.steps = is_byte(type) ? 1 : 0;
    }
    for (const std::string& output : node->outputs) {
      const auto made = graph.types.find(output);
      if (made == graph.types.end() || !is_half(made->second.data_type)) continue;
      result.relative = std::max(result.relative, tolerances.half);
      result.rounding = std::max(result.rounding, rounding_of(made->second.data_type));
    }
  }
  return result;
}

int64_t steps_from_exact(const Graph& graph, const std::string& name,
                         const std::function<bool(const std::string&)>& is_known) {
  std::vector<std::optional<double>> scales;
  for (const Node* node : nodes_between(graph, is_known, {name})) {
    if (quantizes(*node)) scales.push_back(scale_made_by(*node, graph));
  }
  int64_t steps = 1;
  for (size_t i = 0; i + 1 < scales.size(); ++i) {
    const bool is_known_step = scales[i] && scales.back();
    const double worth = is_known_step ? std::ceil(*scales[i] / *scales.back()) : 2;
    steps += static_cast<int64_t>(std::min(worth, kByteSteps));
  }
  return steps;
}

}  // namespace opbench
