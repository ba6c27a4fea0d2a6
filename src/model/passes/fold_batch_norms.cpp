#include <algorithm>
#include <array>
#include <cmath>

#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// A batch normalisation as y = factor * x + offset per channel.
struct Affine {
  std::vector<double> factor;
  std::vector<double> offset;
};

/// Nothing when an operand is not a known float32 tensor.
bool read_affine(const Graph& graph, const Node& node, Affine& affine) {
  std::array<std::span<const float>, 4> operands;
  for (size_t i = 0; i < 4; ++i) {
    const auto it = graph.constants.find(node.inputs[i + 1]);
    if (it == graph.constants.end() || it->second.type.data_type != DataType::kFloat32) {
      return false;
    }
    operands[i] = it->second.as<float>();
  }
  const auto& [scale, bias, mean, variance] = operands;
  const double epsilon = float_attribute(node, "epsilon", 1e-5F);
  for (size_t c = 0; c < scale.size(); ++c) {
    const double factor = scale[c] / std::sqrt(static_cast<double>(variance[c]) + epsilon);
    affine.factor.push_back(factor);
    affine.offset.push_back(bias[c] - mean[c] * factor);
  }
  return true;
}

/// The output channel that weight element `flat` contributes to.
size_t channel_of(const Node& node, const Shape& shape, size_t flat) {
  const auto inner = static_cast<size_t>(element_count(shape) / shape[0]);
  const size_t first = flat / inner;
  if (node.type == "Conv") return first;
  if (node.type == "Gemm") {
    return int_attribute(node, "transB", 0) != 0 ? first : flat % inner;
  }
  const auto per_group = static_cast<size_t>(shape[1]);
  const auto group_inputs = static_cast<size_t>(shape[0] / int_attribute(node, "group", 1));
  return first / group_inputs * per_group + flat / (inner / per_group) % per_group;
}

/// The bias of each channel, zeros when there is none; empty when it is not known per channel.
std::vector<double> bias_of(const Graph& graph, const Node& node, size_t channels) {
  std::vector<double> bias(channels, 0.0);
  if (node.inputs.size() < 3 || node.inputs[2].empty()) return bias;
  const auto it = graph.constants.find(node.inputs[2]);
  if (it == graph.constants.end()) return {};
  const auto values = it->second.as<float>();
  const bool fits =
      values.size() == 1 ||
      (values.size() == channels && it->second.type.shape.back() == static_cast<int64_t>(channels));
  if (!fits || it->second.type.data_type != DataType::kFloat32) return {};
  const double beta = node.type == "Gemm" ? float_attribute(node, "beta", 1.0F) : 1.0F;
  for (size_t c = 0; c < channels; ++c) bias[c] = beta * values[values.size() == 1 ? 0 : c];
  return bias;
}

/// The node that makes `value` when the normalisation is its only reader, its operator is one that
/// can take the factors in, and its weights are known.
Node* foldable_maker(Graph& graph, const std::string& value) {
  const auto consumers = consumers_of(graph);
  if (consumers.at(value).size() != 1 || is_output(graph, value)) return nullptr;
  for (Node& node : graph.nodes) {
    if (node.outputs[0] != value) continue;
    const bool takes = node.type == "Conv" || node.type == "ConvTranspose" || node.type == "Gemm";
    if (!takes || !node.domain.empty()) return nullptr;
    const auto it = graph.constants.find(node.inputs[1]);
    const bool is_known =
        it != graph.constants.end() && it->second.type.data_type == DataType::kFloat32;
    return is_known ? &node : nullptr;
  }
  return nullptr;
}

/// Multiplies the weights and makes the bias take the offset; false when its bias is not known.
bool fold_into(Graph& graph, Node& node, const Node& norm, const Affine& affine) {
  std::vector<double> bias = bias_of(graph, node, affine.factor.size());
  if (bias.empty()) return false;
  Tensor weights = graph.constants.at(node.inputs[1]);
  const auto values = weights.as<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t c = channel_of(node, weights.type.shape, i);
    values[i] = static_cast<float>(values[i] * affine.factor[c]);
  }
  Tensor folded = Tensor::empty({DataType::kFloat32, {static_cast<int64_t>(bias.size())}});
  for (size_t c = 0; c < bias.size(); ++c) {
    folded.as<float>()[c] = static_cast<float>(bias[c] * affine.factor[c] + affine.offset[c]);
  }
  node.inputs.resize(3);
  node.inputs[1] = add_constant(graph, node.inputs[1] + "/normed", std::move(weights));
  node.inputs[2] = add_constant(graph, norm.outputs[0] + "/bias", std::move(folded));
  node.attributes.erase("beta");
  node.outputs[0] = norm.outputs[0];
  return true;
}

/// Channel values shaped [1, C, 1, …] to go with a tensor of `rank` dimensions.
Tensor channel_tensor(const std::vector<double>& values, size_t rank) {
  Shape shape(rank, 1);
  shape[1] = static_cast<int64_t>(values.size());
  Tensor tensor = Tensor::empty({DataType::kFloat32, std::move(shape)});
  std::ranges::transform(values, tensor.as<float>().begin(),
                         [](double v) { return static_cast<float>(v); });
  return tensor;
}

/// Mul and Add in place of a normalisation.
std::array<Node, 2> multiply_add(Graph& graph, const Node& norm, const Affine& affine) {
  const TensorType type = graph.types.at(norm.inputs[0]);
  const size_t rank = type.shape.size();
  const std::string product = fresh_name(graph, norm.outputs[0] + "/product");
  graph.types[product] = type;
  Node mul{norm.name + "/mul", "Mul", "", {norm.inputs[0]}, {product}, {}, false};
  mul.inputs.push_back(
      add_constant(graph, norm.outputs[0] + "/factor", channel_tensor(affine.factor, rank)));
  Node add{norm.name + "/add", "Add", "", {product}, {norm.outputs[0]}, {}, false};
  add.inputs.push_back(
      add_constant(graph, norm.outputs[0] + "/offset", channel_tensor(affine.offset, rank)));
  return {std::move(mul), std::move(add)};
}

}  // namespace

Result<void> fold_batch_norms(Model& model) {
  Graph& graph = model.graph;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Affine affine;
    const Node norm = graph.nodes[i];
    const bool is_norm = norm.type == "BatchNormalization" && norm.domain.empty();
    if (!is_norm || !read_affine(graph, norm, affine)) continue;
    Node* maker = foldable_maker(graph, norm.inputs[0]);
    if (maker != nullptr && fold_into(graph, *maker, norm, affine)) {
      graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(i));
      --i;
      continue;
    }
    std::array<Node, 2> nodes = multiply_add(graph, norm, affine);
    graph.nodes[i] = std::move(nodes[0]);
    graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                       std::move(nodes[1]));
  }
  drop_unread(graph);
  return {};
}

}  // namespace opbench
