#include "experiments/predict/outline_file.h"

#include <span>
#include <vector>

#include "model/graph/onnx_export.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

Tensor zero_of(DataType type) {
  Tensor zero = Tensor::empty({type, {1}});
  zero.data.assign(zero.type.bytes(), std::byte{0});
  return zero;
}

}  // namespace

Result<void> write_outline(Model outline, const std::filesystem::path& path) {
  Graph& graph = outline.graph;
  std::vector<Node> makers;
  std::map<std::string, Tensor> shapes;
  for (const auto& [name, tensor] : graph.constants) {
    if (has_values(tensor)) continue;
    const Shape& shape = tensor.type.shape;
    const std::string shape_name = name + "/shape";
    shapes[shape_name] = Tensor::of<int64_t>(DataType::kInt64, {std::ssize(shape)},
                                             std::span(shape.data(), shape.size()));
    Node node;
    node.name = name + "/zeros";
    node.type = "ConstantOfShape";
    node.inputs = {shape_name};
    node.outputs = {name};
    node.attributes["value"] = zero_of(tensor.type.data_type);
    makers.push_back(std::move(node));
  }
  for (const Node& node : makers) graph.constants.erase(node.outputs.front());
  graph.constants.merge(shapes);
  graph.nodes.insert(graph.nodes.begin(), makers.begin(), makers.end());
  return export_onnx_file(outline, path, {});
}

}  // namespace opbench
