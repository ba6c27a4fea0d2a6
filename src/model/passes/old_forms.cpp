#include "model/passes/old_forms.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>

#include "model/operators/modern_form/old_alignment.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

constexpr int64_t kFirstModernOpset = 7;

/// ONNX's words for types, each at its number.
constexpr std::array<std::string_view, 17> kTypeWords = {
    "UNDEFINED", "FLOAT",  "UINT8",     "INT8",       "UINT16",  "INT16",
    "INT32",     "INT64",  "STRING",    "BOOL",       "FLOAT16", "DOUBLE",
    "UINT32",    "UINT64", "COMPLEX64", "COMPLEX128", "BFLOAT16"};

std::optional<std::vector<Node>> cast_to_number(const Node& node) {
  const std::string word = string_attribute(node, "to", "");
  const auto at = std::ranges::find(kTypeWords, word);
  if (at == kTypeWords.end()) return {};
  Node cast = node;
  cast.attributes["to"] = static_cast<int64_t>(at - kTypeWords.begin());
  return std::vector{std::move(cast)};
}

/// The second operand by way of an Unsqueeze, which has its axes as an attribute in these opsets.
std::optional<std::vector<Node>> aligned_nodes(const Graph& graph, int64_t opset,
                                               const Node& node) {
  const OperatorCall call = call_of(node, graph, opset);
  const auto extents = extents_to_append(call);
  if (!extents || *extents == 0) return {};
  std::vector<int64_t> axes(static_cast<size_t>(*extents));
  std::iota(axes.begin(), axes.end(), rank_of(call, 1));
  Node aligned = node;
  const std::string operand = fresh_name(graph, node.outputs.at(0) + "/aligned");
  aligned.inputs[1] = operand;
  aligned.attributes.erase("axis");
  return std::vector<Node>{
      {operand, "Unsqueeze", "", {node.inputs[1]}, {operand}, {{"axes", axes}}},
      std::move(aligned)};
}

}  // namespace

std::optional<std::vector<Node>> modern_nodes(const Graph& graph, int64_t opset, const Node& node) {
  if (opset >= kFirstModernOpset || !node.domain.empty() || node.inputs.empty()) return {};
  if (node.type == "Cast") return cast_to_number(node);
  return node.inputs.size() == 2 ? aligned_nodes(graph, opset, node) : std::nullopt;
}

}  // namespace opbench
