#include "model/passes/stuck_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/errors/suggestion.h"
#include "base/text/shell_word.h"
#include "model/graph/subgraph.h"

namespace opbench {
namespace {

/// True if `--input NAME=NUMBER` makes a constant of the input.
bool takes_a_number(const Graph& graph, const std::string& input) {
  const auto type = graph.types.find(input);
  if (type == graph.types.end() || type->second.size() != 1) return false;
  const DataType data_type = type->second.data_type;
  return data_type == DataType::kInt64 || data_type == DataType::kInt32 ||
         data_type == DataType::kBool;
}

}  // namespace

bool is_control_flow(const Node& node) {
  return node.domain.empty() && (node.type == "If" || node.type == "Loop" || node.type == "Scan");
}

std::vector<std::string> deciding_inputs(const Graph& graph, const std::string& value) {
  std::set<std::string> wanted = {value};
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const bool is_wanted = std::ranges::any_of(
        node.outputs, [&](const std::string& output) { return wanted.contains(output); });
    if (!is_wanted || node.type == "Shape" || node.type == "Size") continue;
    for (std::string& name : reads_of(node)) wanted.insert(std::move(name));
  }
  std::vector<std::string> inputs;
  for (const Value& input : graph.inputs) {
    if (wanted.contains(input.name)) inputs.push_back(input.name);
  }
  return inputs;
}

Error refuse_control_flow(const Graph& graph, const StuckNodes& stuck) {
  Error error{ErrorCode::kInvalidInput,
              "the halide engine cannot unroll every branch and loop of the model"};
  std::set<std::string> inputs;
  for (const auto& [output, node] : stuck) {
    inputs.insert(node.inputs.begin(), node.inputs.end());
    error.facts.push_back({"node", fmt::format("{} \"{}\" {}", node.type, node.name, node.reason)});
  }
  std::vector<std::string> options;
  for (const std::string& input : inputs) {
    if (takes_a_number(graph, input)) options.push_back("--input " + shell_word(input + "=NUMBER"));
  }
  const bool helps = !options.empty() && options.size() == inputs.size();
  if (helps) return std::move(error).with("give", join(options, " "));
  return std::move(error).with("remedy", "another engine: --engine onnxruntime");
}

}  // namespace opbench
