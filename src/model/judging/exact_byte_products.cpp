#include "model/judging/exact_byte_products.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "model/judging/exact_values.h"

namespace opbench {
namespace {

using NodeTypes = std::set<std::string, std::less<>>;

bool multiplies_bytes(std::string_view type) {
  static const NodeTypes kTypes = {"ConvInteger", "MatMulInteger", "QLinearConv", "QLinearMatMul"};
  return kTypes.contains(type);
}

bool multiplies_floats(std::string_view type) {
  static const NodeTypes kTypes = {"Conv", "ConvTranspose", "FusedMatMul", "Gemm", "MatMul"};
  return kTypes.contains(type);
}

bool only_moves(std::string_view type) {
  static const NodeTypes kTypes = {"Flatten", "Identity",  "Reshape",
                                   "Squeeze", "Transpose", "Unsqueeze"};
  return kTypes.contains(type);
}

const Node* maker_of(const Graph& graph, const std::string& name) {
  const auto makes = [&](const Node& node) { return std::ranges::count(node.outputs, name) > 0; };
  const auto maker = std::ranges::find_if(graph.nodes, makes);
  return maker == graph.nodes.end() ? nullptr : &*maker;
}

/// By a DequantizeLinear, or moved from the result of one.
bool is_dequantized(const Graph& graph, const std::string& name) {
  const Node* maker = maker_of(graph, name);
  while (maker != nullptr && only_moves(maker->type)) maker = maker_of(graph, maker->inputs[0]);
  return maker != nullptr && maker->type == "DequantizeLinear";
}

}  // namespace

bool follows_byte_products(const Graph& graph, const std::string& name,
                           const std::function<bool(const std::string&)>& is_known) {
  return std::ranges::any_of(nodes_between(graph, is_known, {name}), [&](const Node* node) {
    if (multiplies_bytes(node->type)) return true;
    return multiplies_floats(node->type) && node->inputs.size() > 1 &&
           is_dequantized(graph, node->inputs[0]) && is_dequantized(graph, node->inputs[1]);
  });
}

}  // namespace opbench
