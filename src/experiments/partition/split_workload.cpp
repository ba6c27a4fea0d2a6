#include "experiments/partition/split_workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/operators/operator.h"

namespace opbench {
namespace {

Error cannot_split(const Workload& workload, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("\"{}\" cannot be split along its output channels", text_of(workload))}
      .with("reason", reason)
      .with("valid", "conv2d of one group, dense or matmul with a weight; then elementwise steps");
}

/// The dimension of the anchor's weight that makes output channels.
size_t weight_axis(const Node& anchor, size_t rank) {
  if (anchor.type == "Conv") return 0;
  if (anchor.type == "Gemm") return int_attribute(anchor, "transB", 0) != 0 ? 0 : 1;
  return rank - 1;
}

Result<void> check_anchor(const Workload& workload) {
  const Node& anchor = workload.graph.nodes.front();
  const bool is_known = anchor.type == "Conv" || anchor.type == "Gemm" || anchor.type == "MatMul";
  if (!is_known) return cannot_split(workload, "its first step is " + anchor.type);
  if (anchor.type == "Conv" && int_attribute(anchor, "group", 1) != 1) {
    return cannot_split(workload, "the convolution has groups");
  }
  if (anchor.inputs.size() < 2 || !workload.is_weight(anchor.inputs[1])) {
    return cannot_split(workload, "its second operand is no weight");
  }
  for (size_t i = 1; i < workload.graph.nodes.size(); ++i) {
    const Node& node = workload.graph.nodes[i];
    const OperatorDef* definition = operator_of(node);
    if (definition != nullptr && definition->fusion == FusionRole::kElementwise) continue;
    return cannot_split(workload, fmt::format("step {} is {}", i + 1, node.type));
  }
  return {};
}

/// Sets an operand's extent, for the text and for those who read its declaration.
void cut(Graph& graph, const std::string& name, size_t axis, int64_t extent) {
  graph.types.at(name).shape[axis] = extent;
  const auto value = std::ranges::find(graph.inputs, name, &Value::name);
  if (value == graph.inputs.end() || axis >= value->dimensions.size()) return;
  value->dimensions[axis].value = extent;
}

}  // namespace

Result<SplitWorkload> parse_split_workload(const std::string& text) {
  SplitWorkload split;
  OPBENCH_TRY(split.workload, parse_workload(text));
  OPBENCH_CHECK(check_anchor(split.workload));
  const Graph& graph = split.workload.graph;
  const Node& anchor = graph.nodes.front();
  const TensorType& output = graph.types.at(graph.outputs.front().name);
  const Shape& weight = graph.types.at(anchor.inputs[1]).shape;
  const size_t needed = anchor.type == "Conv" ? 3 : 2;
  if (output.shape.size() < needed || weight.size() < 2) {
    return cannot_split(split.workload, "it has too few dimensions");
  }
  split.from_end = anchor.type == "Conv" ? output.shape.size() - 1 : 1;
  split.channels = weight[weight_axis(anchor, weight.size())];
  split.output_bytes = static_cast<double>(output.size() * size_of(output.data_type));
  return split;
}

Result<std::string> part_text(const SplitWorkload& split, int64_t channels) {
  Workload part = split.workload;
  Graph& graph = part.graph;
  const Node& anchor = graph.nodes.front();
  cut(graph, anchor.inputs[1], weight_axis(anchor, graph.types.at(anchor.inputs[1]).shape.size()),
      channels);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::string before = i == 0 ? "" : graph.nodes[i - 1].outputs.front();
    for (size_t j = i == 0 ? 2 : 0; j < node.inputs.size(); ++j) {
      const std::string& name = node.inputs[j];
      if (name.empty() || name == before) continue;
      // A convolution's bias has channels alone; all else is broadcast from the last dimension on.
      const Shape& shape = graph.types.at(name).shape;
      const size_t from_end = i == 0 ? 1 : split.from_end;
      if (shape.size() < from_end || shape[shape.size() - from_end] == 1) continue;
      if (graph.constants.contains(name)) {
        return cannot_split(split.workload,
                            fmt::format("step {} has a constant for each channel", i + 1));
      }
      cut(graph, name, shape.size() - from_end, channels);
    }
  }
  const std::string text = text_of(part);
  OPBENCH_CHECK(parse_workload(text));
  return text;
}

}  // namespace opbench
