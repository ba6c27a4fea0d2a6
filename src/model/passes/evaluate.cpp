#include "model/passes/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "base/system/memory.h"
#include "model/operators/checked_types.h"

namespace opbench {
namespace {

bool asks_for_shape(const Node& node) { return node.type == "Shape" || node.type == "Size"; }

bool lacks_values(const Tensor* constant) { return constant != nullptr && !has_values(*constant); }

std::vector<Tensor> without_values(const std::vector<TensorType>& types) {
  std::vector<Tensor> results;
  for (const TensorType& type : types) results.push_back({type, {}});
  return results;
}

}  // namespace

bool is_known(const OperatorCall& call) {
  if (asks_for_shape(*call.node)) return true;
  for (size_t i = 0; i < call.constants.size(); ++i) {
    if (call.constants[i] == nullptr && !call.node->inputs[i].empty()) return false;
  }
  return true;
}

bool has_values(const Tensor& tensor) { return tensor.data.size() == tensor.type.bytes(); }

Result<std::vector<Tensor>> evaluate(const OperatorCall& call,
                                     const std::vector<TensorType>& outputs) {
  if (!asks_for_shape(*call.node) && std::ranges::any_of(call.constants, lacks_values)) {
    return without_values(outputs);
  }
  std::vector<TensorView> in;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    TensorView view;
    if (call.inputs[i] != nullptr) view.type = *call.inputs[i];
    if (call.constants[i] != nullptr) {
      view.data = const_cast<std::byte*>(call.constants[i]->data.data());
    }
    in.push_back(std::move(view));
  }
  double bytes = 0;
  for (const TensorType& type : outputs) bytes += static_cast<double>(type.bytes());
  constexpr double kAlwaysThere = 0x1p26;
  if (bytes > kAlwaysThere) {
    OPBENCH_CHECK(check_room(bytes, fmt::format("the results of \"{}\"", call.node->name)));
  }
  std::vector<Tensor> results;
  for (const TensorType& type : outputs) results.push_back(Tensor::empty(type));
  std::vector<TensorView> out;
  for (Tensor& result : results) out.push_back({result.type, result.data.data()});
  OPBENCH_CHECK(checked_run(*operator_of(*call.node), call, in, out));
  return results;
}

void drop_unread(Graph& graph) {
  // Views of names stay right while nodes move: the lists of names move as a whole.
  std::unordered_set<std::string_view> read;
  for (const Value& output : graph.outputs) read.insert(output.name);
  std::vector<Node> kept;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    Node& node = graph.nodes[i];
    const bool is_read = std::ranges::any_of(node.outputs, [&](const std::string& name) {
      return !name.empty() && read.contains(name);
    });
    if (!is_read) continue;
    read.insert(node.inputs.begin(), node.inputs.end());
    kept.push_back(std::move(node));
  }
  graph.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  for (const Value& input : graph.inputs) read.insert(input.name);
  for (const Node& node : graph.nodes) read.insert(node.outputs.begin(), node.outputs.end());
  std::erase_if(graph.constants, [&](const auto& entry) { return !read.contains(entry.first); });
  std::erase_if(graph.types, [&](const auto& entry) { return !read.contains(entry.first); });
}

std::string fresh_name(const Graph& graph, const std::string& base) {
  std::string name = base;
  for (int i = 2; graph.types.contains(name) || graph.constants.contains(name); ++i) {
    name = fmt::format("{}/{}", base, i);
  }
  return name;
}

std::string add_constant(Graph& graph, const std::string& base, Tensor tensor) {
  std::string name = fresh_name(graph, base);
  graph.types[name] = tensor.type;
  graph.constants.emplace(name, std::move(tensor));
  return name;
}

}  // namespace opbench
