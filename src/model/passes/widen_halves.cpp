#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/tensors/half.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// ONNX's numbers of types, as attributes have them.
constexpr int64_t kOnnxFloat32 = 1, kOnnxFloat16 = 10, kOnnxBFloat16 = 16;

bool is_half(DataType type) { return type == DataType::kFloat16 || type == DataType::kBFloat16; }

template <class Half>
Tensor widened(const Tensor& narrow) {
  Tensor wide = Tensor::empty({DataType::kFloat32, narrow.type.shape});
  std::ranges::transform(narrow.as<Half>(), wide.as<float>().begin(),
                         [](Half value) { return static_cast<float>(value); });
  return wide;
}

/// Of a constant that may have a type alone (has_values).
void widen(Tensor& tensor) {
  if (!has_values(tensor))
    tensor.type.data_type = DataType::kFloat32;
  else if (tensor.type.data_type == DataType::kFloat16)
    tensor = widened<Float16>(tensor);
  else
    tensor = widened<BFloat16>(tensor);
}

class Widening {
 public:
  explicit Widening(Graph& graph) : graph_(graph) {}

  void run() {
    for (const Value& input : graph_.inputs) take_in(input);
    for (const Value& output : graph_.outputs) keep_constant(output.name);
    for (Node& node : graph_.nodes) widen_node(node);
    for (auto& [name, tensor] : graph_.constants)
      if (is_half(tensor.type.data_type) && !outside_.contains(name)) widen(tensor);
    for (auto& [name, type] : graph_.types)
      if (is_half(type.data_type) && !outside_.contains(name)) type.data_type = DataType::kFloat32;
    for (const Value& output : graph_.outputs) give_out(output);
    graph_.nodes.insert(graph_.nodes.begin(), std::make_move_iterator(first_.begin()),
                        std::make_move_iterator(first_.end()));
    graph_.nodes.insert(graph_.nodes.end(), std::make_move_iterator(last_.begin()),
                        std::make_move_iterator(last_.end()));
  }

 private:
  bool is_half_value(const std::string& name) const {
    const auto type = graph_.types.find(name);
    return type != graph_.types.end() && is_half(type->second.data_type);
  }

  /// True if the value is float32 once the pass is done.
  bool is_float_value(const std::string& name) const {
    const auto type = graph_.types.find(name);
    return type != graph_.types.end() &&
           (type->second.data_type == DataType::kFloat32 || is_half(type->second.data_type));
  }

  std::string wide_name(const std::string& name) {
    const std::string wide = fresh_name(graph_, name + "/float32");
    graph_.types[wide] = {DataType::kFloat32, graph_.types.at(name).shape};
    return wide;
  }

  static Node cast(const std::string& from, const std::string& to, int64_t type) {
    return {to + "/cast", "Cast", "", {from}, {to}, {{"to", type}}};
  }

  /// Inside, an input goes by another name: that of its float32 values.
  void take_in(const Value& input) {
    if (!is_half_value(input.name)) return;
    const std::string wide = wide_name(input.name);
    outside_.emplace(input.name, wide);
    first_.push_back(cast(input.name, wide, kOnnxFloat32));
  }

  /// A constant that is an output stays as it is, and nodes read a copy.
  void keep_constant(const std::string& name) {
    const auto constant = graph_.constants.find(name);
    if (constant == graph_.constants.end() || !is_half(constant->second.type.data_type)) return;
    Tensor copy = constant->second;
    widen(copy);
    const std::string wide = wide_name(name);
    graph_.constants.emplace(wide, std::move(copy));
    outside_.emplace(name, wide);
  }

  /// So does an output, unless it is an input itself.
  void name_result(std::string& name) {
    if (!is_output(graph_, name) || !is_half_value(name)) return;
    const std::string wide = wide_name(name);
    outside_.emplace(name, wide);
    name = wide;
  }

  void widen_node(Node& node) {
    for (std::string& name : node.inputs) {
      const auto wide = outside_.find(name);
      if (wide != outside_.end()) name = wide->second;
    }
    const bool was_float = !node.inputs.empty() && is_float_value(node.inputs[0]);
    for (std::string& name : node.outputs) name_result(name);
    for (const char* type : {"to", "dtype", "output_dtype", "output_datatype"}) {
      const auto attribute = node.attributes.find(type);
      if (attribute == node.attributes.end()) continue;
      const auto* number = std::get_if<int64_t>(&attribute->second);
      if (number != nullptr && (*number == kOnnxFloat16 || *number == kOnnxBFloat16))
        attribute->second = kOnnxFloat32;
    }
    for (auto& [name, attribute] : node.attributes) {
      auto* tensor = std::get_if<Tensor>(&attribute);
      if (tensor != nullptr && is_half(tensor->type.data_type)) widen(*tensor);
    }
    if (was_float && node.type == "Cast" && int_attribute(node, "to", 0) == kOnnxFloat32) {
      node.type = "Identity";
      node.attributes.clear();
    }
  }

  void give_out(const Value& output) {
    const auto wide = outside_.find(output.name);
    const bool is_computed = !is_input(output.name) && !graph_.constants.contains(output.name);
    if (wide == outside_.end() || !is_computed) return;
    const bool is_bfloat = graph_.types.at(output.name).data_type == DataType::kBFloat16;
    last_.push_back(cast(wide->second, output.name, is_bfloat ? kOnnxBFloat16 : kOnnxFloat16));
  }

  bool is_input(const std::string& name) const {
    return std::ranges::find(graph_.inputs, name, &Value::name) != graph_.inputs.end();
  }

  Graph& graph_;
  std::map<std::string, std::string> outside_;  ///< inputs and outputs: their names inside
  std::vector<Node> first_, last_;
};

}  // namespace

bool widen_halves(Model& model) {
  const bool has_halves = std::ranges::any_of(
      model.graph.types, [](const auto& entry) { return is_half(entry.second.data_type); });
  if (has_halves) Widening(model.graph).run();
  return has_halves;
}

}  // namespace opbench
