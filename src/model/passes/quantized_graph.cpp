#include "model/passes/quantized_graph.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "model/operators/elements/element_number.h"
#include "model/operators/operator.h"
#include "model/operators/quantised/quantization.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace {

bool is_plain(const Node& node, const char* type) {
  return node.domain.empty() && node.type == type;
}

int byte_of(DataType type, double value) {
  return type == DataType::kInt8 ? int{saturated<int8_t>(value)} : int{saturated<uint8_t>(value)};
}

/// What a Relu or Clip leaves of all numbers.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double of(double value) const { return std::min(std::max(value, low), high); }
};

}  // namespace

bool has_operand(const Node& node, size_t index) {
  return index < node.inputs.size() && !node.inputs[index].empty();
}

bool QuantizedEnd::is_bounded() const {
  const int low = type == DataType::kInt8 ? -128 : 0;
  return lowest > low || highest < low + 255;
}

QuantizedGraph::QuantizedGraph(Model& model) : model_(model), graph_(model.graph) {
  std::ranges::move(graph_.nodes, std::back_inserter(nodes_));
  graph_.nodes.clear();
  for (Node& node : nodes_) {
    for (const std::string& output : node.outputs) makers_[output] = &node;
    for (const std::string& input : node.inputs) readers_[input].push_back(&node);
  }
}

void QuantizedGraph::take_back() {
  graph_.nodes.assign(std::make_move_iterator(nodes_.begin()),
                      std::make_move_iterator(nodes_.end()));
  drop_unread(graph_);
}

const TensorType& QuantizedGraph::type(const std::string& value) const {
  return graph_.types.at(value);
}

const Tensor& QuantizedGraph::constant(const std::string& name) const {
  return graph_.constants.at(name);
}

const Node* QuantizedGraph::maker(const std::string& value) const {
  const auto found = makers_.find(value);
  return found == makers_.end() ? nullptr : found->second;
}

Node* QuantizedGraph::only_reader(const std::string& value) const {
  const auto found = readers_.find(value);
  const bool is_one = found != readers_.end() && found->second.size() == 1;
  return is_one && !is_output(graph_, value) ? found->second.front() : nullptr;
}

bool QuantizedGraph::is_single_float(const std::string& name) const {
  const auto found = graph_.constants.find(name);
  if (found == graph_.constants.end() || !has_values(found->second)) return false;
  const TensorType& type = found->second.type;
  if (type.size() != 1 || type.data_type != DataType::kFloat32) return false;
  const float scale = found->second.as<float>()[0];
  return std::isfinite(scale) && scale > 0;
}

std::optional<Scaling> QuantizedGraph::scaling_of(const Node& node, DataType type) {
  if (!is_byte(type) || !is_single_float(node.inputs[1])) return std::nullopt;
  if (!has_operand(node, 2)) {
    return Scaling{node.inputs[1], add_byte(node.outputs[0] + "/zero_point", type, 0)};
  }
  const auto zero = graph_.constants.find(node.inputs[2]);
  const bool is_known = zero != graph_.constants.end() && has_values(zero->second) &&
                        zero->second.type.size() == 1 && zero->second.type.data_type == type;
  return is_known ? std::optional(Scaling{node.inputs[1], node.inputs[2]}) : std::nullopt;
}

std::optional<ScaledBytes> QuantizedGraph::dequantized(const std::string& value) {
  const Node* node = maker(value);
  if (node == nullptr || !is_plain(*node, "DequantizeLinear")) return std::nullopt;
  if (type(value).data_type != DataType::kFloat32) return std::nullopt;
  const std::string& bytes = node->inputs[0];
  if (graph_.constants.contains(bytes)) return std::nullopt;
  const DataType byte = type(bytes).data_type;
  auto scaling = scaling_of(*node, byte);
  if (!scaling) return std::nullopt;
  return ScaledBytes{bytes, byte, *std::move(scaling)};
}

std::optional<std::string> QuantizedGraph::known(const std::string& value) {
  if (graph_.constants.contains(value)) return value;
  const Node* node = maker(value);
  if (node == nullptr || !is_plain(*node, "QuantizeLinear")) return std::nullopt;
  const OperatorCall call = call_of(*node, graph_, model_.opset);
  if (!is_known(call)) return std::nullopt;
  auto results = evaluate(call, {type(value)});
  if (!results) return std::nullopt;
  return add_constant(graph_, value + "/known", std::move(results->front()));
}

std::optional<ScaledWeights> QuantizedGraph::weights(const std::string& value, int64_t axis) {
  const Node* node = maker(value);
  if (node == nullptr || !is_plain(*node, "DequantizeLinear")) return std::nullopt;
  const auto bytes = known(node->inputs[0]);
  const auto scale = graph_.constants.find(node->inputs[1]);
  if (!bytes || scale == graph_.constants.end() || !is_byte(type(*bytes).data_type)) {
    return std::nullopt;
  }
  const TensorType& scales = scale->second.type;
  const auto rank = static_cast<int64_t>(type(value).shape.size());
  const int64_t given = int_attribute(*node, "axis", 1);
  const bool is_along = scales.shape.size() == 1 && (given < 0 ? given + rank : given) == axis;
  const bool is_blocked = int_attribute(*node, "block_size", 0) != 0;
  if (scales.data_type != DataType::kFloat32 || is_blocked) return std::nullopt;
  if (scales.size() != 1 && !is_along) return std::nullopt;
  int zero = 0;
  if (has_operand(*node, 2)) {
    const auto points = graph_.constants.find(node->inputs[2]);
    if (points == graph_.constants.end() || !has_values(points->second)) return std::nullopt;
    zero = byte_at(points->second, 0);
    for (int64_t i = 1; i < points->second.type.size(); ++i) {
      if (byte_at(points->second, i) != zero) return std::nullopt;
    }
  }
  return ScaledWeights{*bytes, node->inputs[1],
                       add_byte(value + "/zero_point", type(*bytes).data_type, zero)};
}

std::optional<QuantizedEnd> QuantizedGraph::end(const std::string& value) {
  QuantizedEnd result;
  Bounds bounds;
  Node* node = only_reader(value);
  const auto clip_bound = [&](size_t index, const char* attribute, double otherwise) {
    if (has_operand(*node, index)) {
      const auto bound = graph_.constants.find(node->inputs[index]);
      const bool is_known = bound != graph_.constants.end() && has_values(bound->second) &&
                            bound->second.type.data_type == DataType::kFloat32;
      return is_known ? double{bound->second.as<float>()[0]} : std::nan("");
    }
    return double{float_attribute(*node, attribute, static_cast<float>(otherwise))};
  };
  while (node != nullptr && (is_plain(*node, "Relu") || is_plain(*node, "Clip"))) {
    Bounds next{0, std::numeric_limits<double>::infinity()};
    if (node->type == "Clip") {
      const Bounds all;
      next = {clip_bound(1, "min", all.low), clip_bound(2, "max", all.high)};
      if (std::isnan(next.low) || std::isnan(next.high)) return std::nullopt;
    }
    bounds = {next.of(bounds.low), next.of(bounds.high)};
    result.nodes.push_back(node);
    node = only_reader(node->outputs[0]);
  }
  if (node == nullptr || !is_plain(*node, "QuantizeLinear")) return std::nullopt;
  result.output = node->outputs[0];
  result.type = type(result.output).data_type;
  auto scaling = scaling_of(*node, result.type);
  if (!scaling) return std::nullopt;
  result.scaling = *std::move(scaling);
  result.nodes.push_back(node);
  const double scale = double{constant(result.scaling.scale).as<float>()[0]};
  const double zero = byte_at(constant(result.scaling.zero_point), 0);
  result.lowest = byte_of(result.type, std::nearbyint(bounds.low / scale) + zero);
  result.highest = byte_of(result.type, std::nearbyint(bounds.high / scale) + zero);
  return result;
}

std::optional<std::vector<double>> QuantizedGraph::known_bias(const std::string& value) const {
  std::vector<double> result;
  const auto found = graph_.constants.find(value);
  if (found != graph_.constants.end()) {
    if (found->second.type.data_type != DataType::kFloat32 || !has_values(found->second)) {
      return std::nullopt;
    }
    for (const float each : found->second.as<float>()) result.push_back(double{each});
    return result;
  }
  const Node* node = maker(value);
  if (node == nullptr || !is_plain(*node, "DequantizeLinear")) return std::nullopt;
  const OperatorCall call = call_of(*node, graph_, model_.opset);
  if (!is_known(call)) return std::nullopt;
  const auto values = evaluate(call, {type(value)});
  if (!values || !has_values(values->front())) return std::nullopt;
  if (values->front().type.data_type != DataType::kFloat32) return std::nullopt;
  for (const float each : values->front().as<float>()) result.push_back(double{each});
  return result;
}

std::optional<std::string> QuantizedGraph::integer_bias(const std::string& value,
                                                        const std::string& x_scale,
                                                        const std::string& w_scale,
                                                        const std::string& y_scale) {
  constexpr double kMost = 0x1p30, kMostMove = 1.0 / 32, kSame = 1e-6;
  const auto bias = known_bias(value);
  if (!bias || !has_values(constant(w_scale))) return std::nullopt;
  const double x = double{constant(x_scale).as<float>()[0]};
  const double y = double{constant(y_scale).as<float>()[0]};
  const auto w = constant(w_scale).as<float>();
  if (w.size() != 1 && w.size() != bias->size()) return std::nullopt;
  std::vector<int32_t> numbers;
  for (size_t i = 0; i < bias->size(); ++i) {
    const double step = x * double{w[w.size() == 1 ? 0 : i]};
    const double number = std::nearbyint((*bias)[i] / step);
    const double moved = std::abs((*bias)[i] - number * step);
    const bool is_same = moved <= kSame * std::abs((*bias)[i]);
    if (!(std::abs(number) <= kMost) || (!is_same && moved > kMostMove * y)) return std::nullopt;
    numbers.push_back(static_cast<int32_t>(number));
  }
  const Shape shape = {static_cast<int64_t>(numbers.size())};
  return add_constant(
      graph_, value + "/integers",
      Tensor::of<int32_t>(DataType::kInt32, shape, std::span<const int32_t>(numbers)));
}

bool QuantizedGraph::are_equal(const Scaling& a, const Scaling& b) const {
  const Tensor& a_zero = constant(a.zero_point);
  const Tensor& b_zero = constant(b.zero_point);
  return constant(a.scale).as<float>()[0] == constant(b.scale).as<float>()[0] &&
         a_zero.type.data_type == b_zero.type.data_type && byte_at(a_zero, 0) == byte_at(b_zero, 0);
}

void QuantizedGraph::insert_after(std::list<Node>::iterator at, Node node, const TensorType& type) {
  graph_.types[node.outputs[0]] = type;
  const auto added = nodes_.insert(std::next(at), std::move(node));
  makers_[added->outputs[0]] = &*added;
}

std::string QuantizedGraph::new_name(const std::string& base) const {
  return fresh_name(graph_, base);
}

void QuantizedGraph::rename_reads(const std::string& from, const std::string& to) {
  for (Node& node : nodes_) std::ranges::replace(node.inputs, from, to);
}

std::string QuantizedGraph::add_byte(const std::string& base, DataType type, int value) {
  Tensor tensor = Tensor::empty({type, {}});
  tensor.data[0] = static_cast<std::byte>(value);
  return add_constant(graph_, base, std::move(tensor));
}

}  // namespace opbench
