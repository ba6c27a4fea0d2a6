#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// How the values of a weight are drawn.
struct Distribution {
  enum class Kind { kKeep, kNormal, kUniform } kind = Kind::kKeep;
  double scale = 0;   ///< standard deviation of normal values, half the width of uniform ones
  double centre = 0;  ///< their mean
};

Distribution normal(double scale, double centre = 0) {
  return {Distribution::Kind::kNormal, scale, centre};
}

Distribution uniform(double low, double high) {
  return {Distribution::Kind::kUniform, (high - low) / 2, (high + low) / 2};
}

constexpr double kSmall = 0.1;

/// He et al. 2015: the variance that keeps the magnitude through a layer followed by ReLU.
Distribution he(int64_t fan_in) {
  return normal(std::sqrt(2.0 / static_cast<double>(std::max<int64_t>(1, fan_in))));
}

/// The summands behind each result of a product with a weight of this shape.
int64_t fan_in(const Node& node, const Shape& shape, size_t position) {
  if (node.type == "Conv") return element_count({shape.begin() + 1, shape.end()});
  if (node.type == "ConvTranspose") return element_count(shape) / std::max<int64_t>(1, shape[1]);
  if (node.type == "Gemm") {
    const bool transposed = int_attribute(node, position == 0 ? "transA" : "transB", 0) != 0;
    return shape[(position == 0) != transposed ? 1 : 0];
  }
  return position == 0 || shape.size() == 1 ? shape.back() : shape[shape.size() - 2];
}

Distribution of_normalisation(const Node& node, size_t position) {
  if (position == 1) return normal(kSmall, 1.0);
  if (node.type == "BatchNormalization" && position == 4) return uniform(0.5, 1.5);
  return normal(kSmall);
}

/// The distribution that the weight's role at its reader asks for.
Distribution distribution_of(const Node& node, size_t position, const Shape& shape) {
  const std::string& type = node.type;
  const OperatorDef* def = operator_of(node);
  const bool is_parameter =
      def != nullptr && std::ranges::find(def->parameters, position) != def->parameters.end();
  if (is_parameter) return {};
  if (type.ends_with("Normalization")) return of_normalisation(node, position);
  const bool is_product =
      type == "Conv" || type == "ConvTranspose" || type == "Gemm" || type == "MatMul";
  if (is_product && position < 2) return he(fan_in(node, shape, position));
  if (is_product) return normal(kSmall);
  if (element_count(shape) == 1) return {};
  if (type == "Mul" || type == "Div") return normal(kSmall, 1.0);
  if (type == "PRelu") return uniform(0.1, 0.4);
  if (type == "Gather") return normal(1.0);
  return normal(kSmall);
}

/// Where a value ends up: the first reader that computes with it, past views and transposes of it.
Distribution distribution_of(const Graph& graph, const std::string& name, int depth = 0) {
  constexpr int kMostViews = 8;
  for (const Node& node : graph.nodes) {
    const auto it = std::ranges::find(node.inputs, name);
    if (it == node.inputs.end()) continue;
    const auto position = static_cast<size_t>(it - node.inputs.begin());
    const OperatorDef* def = operator_of(node);
    const bool passes_on = def != nullptr && position == 0 && depth < kMostViews &&
                           (def->fusion == FusionRole::kView || node.type == "Transpose") &&
                           graph.types.contains(node.outputs[0]);
    if (passes_on) return distribution_of(graph, node.outputs[0], depth + 1);
    return distribution_of(node, position, graph.types.at(name).shape);
  }
  return {};
}

void draw(const Distribution& distribution, Random random, std::span<float> values) {
  const auto scale = static_cast<float>(distribution.scale);
  const auto centre = static_cast<float>(distribution.centre);
  if (distribution.kind == Distribution::Kind::kUniform) {
    random.fill_uniform(values, centre - scale, centre + scale);
    return;
  }
  random.fill_normal(values, scale);
  for (float& value : values) value += centre;
}

/// The results of ConstantOfShape of floats become constants.
void randomize_weights_lift_constants(Graph& graph) {
  std::erase_if(graph.nodes, [&](const Node& node) {
    if (node.type != "ConstantOfShape" || !node.domain.empty()) return false;
    const std::string& output = node.outputs[0];
    if (!graph.types.contains(output)) return false;
    const TensorType& type = graph.types.at(output);
    if (type.data_type != DataType::kFloat32 || is_output(graph, output)) return false;
    Tensor tensor = Tensor::empty(type);
    const auto it = node.attributes.find("value");
    const Tensor* value = it == node.attributes.end() ? nullptr : std::get_if<Tensor>(&it->second);
    std::ranges::fill(tensor.as<float>(), value == nullptr ? 0.0F : value->as<float>()[0]);
    graph.constants.insert_or_assign(output, std::move(tensor));
    return true;
  });
}

}  // namespace

Result<void> randomize_weights(Model& model, uint64_t seed) {
  Graph& graph = model.graph;
  // Weights of nodes that only another engine knows are drawn, too.
  OPBENCH_CHECK(infer_known_types(model));
  randomize_weights_lift_constants(graph);
  for (auto& [name, tensor] : graph.constants) {
    if (tensor.type.data_type != DataType::kFloat32) continue;
    const Distribution distribution = distribution_of(graph, name);
    if (distribution.kind == Distribution::Kind::kKeep) continue;
    draw(distribution, Random(seed, name), tensor.as<float>());
  }
  return {};
}

}  // namespace opbench
