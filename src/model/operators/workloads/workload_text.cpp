#include <fmt/format.h>

#include <algorithm>

#include "base/tensors/half.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

std::string type_suffix(DataType type) {
  return type == DataType::kFloat32 ? "" : fmt::format(":{}", name_of(type));
}

template <class T>
std::string list_text(const std::vector<T>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

template <class T>
std::string floats_text(const Tensor& tensor) {
  const auto values = tensor.as<T>();
  return list_text(std::vector<float>(values.begin(), values.end()));
}

/// `0`, `0,`, `1,64:int64`: the values, a comma when rank 1 would not show, the type.
std::string value_text(const Tensor& tensor) {
  std::string text;
  if (tensor.type.data_type == DataType::kFloat32) {
    text = floats_text<float>(tensor);
  } else if (tensor.type.data_type == DataType::kFloat16) {
    text = floats_text<Float16>(tensor);
  } else if (tensor.type.data_type == DataType::kBFloat16) {
    text = floats_text<BFloat16>(tensor);
  } else if (tensor.type.data_type == DataType::kFloat64) {
    const auto values = tensor.as<double>();
    text = list_text(std::vector<double>(values.begin(), values.end()));
  } else {
    text = list_text(integers(tensor));
  }
  if (tensor.type.shape.size() == 1 && tensor.type.size() < 2) text += ",";
  return text + type_suffix(tensor.type.data_type);
}

std::string attribute_text(const Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Tensor>) {
          return value_text(value);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return value;
        } else if constexpr (requires { value.begin(); }) {
          return list_text(value);
        } else {
          return fmt::format("{}", value);
        }
      },
      attribute);
}

std::string operand_text(const Workload& workload, const std::string& name) {
  if (name.empty()) return "_";
  const Graph& graph = workload.graph;
  const auto constant = graph.constants.find(name);
  if (constant != graph.constants.end()) return "=" + value_text(constant->second);
  const TensorType& type = graph.types.at(name);
  return (workload.is_weight(name) ? "w:" : "") + shape_text(type.shape) +
         type_suffix(type.data_type);
}

/// ` outputs=0,2`, or nothing where the first one alone is read.
std::string outputs_text(const Node& node) {
  std::vector<size_t> read;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) read.push_back(i);
  }
  return read.size() < 2 ? "" : " outputs=" + list_text(read);
}

std::string step_text(const Workload& workload, const Node& node, const std::string& previous) {
  std::string text = word_of(node);
  const bool is_implied = !previous.empty() && !node.inputs.empty() && node.inputs[0] == previous &&
                          std::ranges::count(node.inputs, previous) == 1;
  for (size_t i = is_implied ? 1 : 0; i < node.inputs.size(); ++i) {
    const std::string& input = node.inputs[i];
    text += " ";
    text += !previous.empty() && input == previous ? "%" : operand_text(workload, input);
  }
  for (const auto& [name, value] : node.attributes) {
    text += fmt::format(" {}={}", name, attribute_text(value));
  }
  return text + outputs_text(node);
}

/// The shape without a leading batch of 1, where something is left of it.
std::string short_shape(const Shape& shape) {
  if (shape.size() > 2 && shape[0] == 1) return shape_text({shape.begin() + 1, shape.end()});
  return shape_text(shape);
}

/// `3` for a square, else `3x1`.
std::string window_text(const Shape& extents) {
  const bool is_even = std::ranges::all_of(extents, [&](auto e) { return e == extents[0]; });
  return is_even && !extents.empty() ? fmt::format("{}", extents[0]) : shape_text(extents);
}

}  // namespace

std::string text_of(const Workload& workload) {
  std::string text;
  std::string previous;
  for (const Node& node : workload.graph.nodes) {
    if (!text.empty()) text += "; ";
    text += step_text(workload, node, previous);
    previous = node.outputs[0];
  }
  return text;
}

std::string operator_text(const Workload& workload) {
  std::vector<std::string> words;
  for (const Node& node : workload.graph.nodes) words.push_back(word_of(node));
  return join(words, "+");
}

std::string short_shapes(const Workload& workload) {
  const Graph& graph = workload.graph;
  const Node& node = graph.nodes.at(0);
  const auto shape = [&](size_t i) { return graph.types.at(node.inputs.at(i)).shape; };
  std::string text = node.inputs.empty() ? "" : short_shape(shape(0));
  Shape kernel = ints_attribute(node, "kernel_shape", {});
  if (node.type == "Conv" || node.type == "ConvTranspose") {
    const Shape w = shape(1);
    kernel.assign(w.begin() + 2, w.end());
  } else if (node.type == "Gemm" || node.type == "MatMul") {
    text += " * " + short_shape(shape(1));
  }
  if (!kernel.empty()) {
    text += " k" + window_text(kernel);
    text += " s" + window_text(ints_attribute(node, "strides", Shape(kernel.size(), 1)));
  }
  const Shape dilations = ints_attribute(node, "dilations", {});
  if (!dilations.empty()) text += " d" + window_text(dilations);
  const int64_t groups = int_attribute(node, "group", 1);
  if (groups != 1) text += fmt::format(" g{}", groups);
  return text + " -> " + short_shape(graph.types.at("y").shape);
}

}  // namespace opbench
