#include "experiments/predict/workload_batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/sessions/model/model_source.h"

namespace opbench {
namespace {

/// Names of a part are its own in the whole.
Graph renamed(const Graph& graph, const std::string& prefix) {
  Graph result;
  const auto own = [&](const std::string& name) { return name.empty() ? name : prefix + name; };
  for (Node node : graph.nodes) {
    node.name = own(node.name);
    for (std::string& input : node.inputs) input = own(input);
    for (std::string& output : node.outputs) output = own(output);
    result.nodes.push_back(std::move(node));
  }
  for (const auto& [from, to] :
       {std::pair(&graph.inputs, &result.inputs), std::pair(&graph.outputs, &result.outputs)}) {
    for (Value value : *from) {
      value.name = own(value.name);
      to->push_back(std::move(value));
    }
  }
  for (const auto& [name, tensor] : graph.constants) result.constants[own(name)] = tensor;
  return result;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Model batch_of_workloads(const std::vector<Workload>& workloads, const std::string& name) {
  Model batch;
  batch.name = name;
  batch.source = "workloads";
  batch.ir_version = 8;
  for (size_t i = 0; i < workloads.size(); ++i) {
    const Model one = outline_of_workload(workloads[i]);
    Graph part = renamed(one.graph, fmt::format("u{}/", i));
    append(batch.graph.nodes, part.nodes);
    append(batch.graph.inputs, part.inputs);
    append(batch.graph.outputs, part.outputs);
    batch.graph.constants.merge(part.constants);
    batch.opset = std::max(batch.opset, one.opset);
    for (const auto& [domain, opset] : one.other_opsets) batch.other_opsets[domain] = opset;
  }
  return batch;
}

}  // namespace opbench
