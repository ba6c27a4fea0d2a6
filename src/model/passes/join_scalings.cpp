#include <algorithm>
#include <array>
#include <utility>

#include "model/passes/passes.h"
#include "model/passes/quantized_graph.h"

namespace opbench {
namespace {

using Place = std::list<Node>::iterator;

/// Gives `place` the result of the end: bytes that are left out by a Relu or Clip are cut off by a
/// node of their own.
void finish(QuantizedGraph& graph, Place place, const QuantizedEnd& end) {
  for (Node* node : end.nodes) *node = Node{};
  place->outputs = {end.output};
  if (!end.is_bounded()) return;
  Node clip{place->name + "/clip", "Clip", "", {}, {end.output}, {}, false};
  const TensorType type = graph.type(end.output);
  place->outputs = {graph.new_name(end.output + "/all")};
  clip.inputs = {place->outputs[0], graph.add_byte(end.output + "/lowest", end.type, end.lowest),
                 graph.add_byte(end.output + "/highest", end.type, end.highest)};
  graph.set_type(place->outputs[0], type);
  graph.insert_after(place, std::move(clip), type);
}

/// Two-dimensional, of one group or of groups that fill up vectors: others are as fast in float32.
bool has_integer_kernel(const Node& conv, const Shape& x, const Shape& w) {
  constexpr int64_t kMostLanes = 16;
  const int64_t groups = int_attribute(conv, "group", 1);
  if (x.size() != 4) return false;
  return groups == 1 || (w[1] % kMostLanes == 0 && w[0] / groups % kMostLanes == 0);
}

void join_convolution(QuantizedGraph& graph, Place place) {
  Node& conv = *place;
  const auto x = graph.dequantized(conv.inputs[0]);
  if (!x || !has_integer_kernel(conv, graph.type(conv.inputs[0]).shape,
                                graph.type(conv.inputs[1]).shape)) {
    return;
  }
  const auto w = graph.weights(conv.inputs[1], 0);
  const auto end = graph.end(conv.outputs[0]);
  if (!w || !end) return;
  std::vector<std::string> inputs = {
      x->bytes, x->scaling.scale, x->scaling.zero_point, w->bytes,
      w->scale, w->zero_point,    end->scaling.scale,    end->scaling.zero_point};
  if (has_operand(conv, 2)) {
    const auto bias =
        graph.integer_bias(conv.inputs[2], x->scaling.scale, w->scale, end->scaling.scale);
    if (!bias) return;
    inputs.push_back(*bias);
  }
  conv.type = "QLinearConv";
  conv.inputs = std::move(inputs);
  finish(graph, place, *end);
}

/// By one matrix of known weights: others have no integer kernel.
void join_product(QuantizedGraph& graph, Place place) {
  const size_t rank = graph.type(place->inputs[0]).shape.size();
  if (graph.type(place->inputs[1]).shape.size() != 2 || rank < 2) return;
  const auto x = graph.dequantized(place->inputs[0]);
  const auto w = x ? graph.weights(place->inputs[1], 1) : std::nullopt;
  const auto end = w ? graph.end(place->outputs[0]) : std::nullopt;
  if (!end) return;
  place->type = "QLinearMatMul";
  place->inputs = {x->bytes, x->scaling.scale, x->scaling.zero_point, w->bytes,
                   w->scale, w->zero_point,    end->scaling.scale,    end->scaling.zero_point};
  finish(graph, place, *end);
}

void join_sum(QuantizedGraph& graph, Place place) {
  const auto a = graph.dequantized(place->inputs[0]);
  const auto b = graph.dequantized(place->inputs[1]);
  if (!a || !b || a->type != b->type) return;
  const auto end = graph.end(place->outputs[0]);
  if (!end || end->type != a->type) return;
  place->type = "QLinearAdd";
  place->domain = "com.microsoft";
  place->inputs = {a->bytes,           a->scaling.scale,       a->scaling.zero_point,
                   b->bytes,           b->scaling.scale,       b->scaling.zero_point,
                   end->scaling.scale, end->scaling.zero_point};
  finish(graph, place, *end);
}

/// Moves a DequantizeLinear behind a node that only picks elements of its first operand.
void move_behind(QuantizedGraph& graph, Place place) {
  const auto x = graph.dequantized(place->inputs[0]);
  const bool has_one = std::ranges::count_if(place->outputs, [](const std::string& name) {
                         return !name.empty();
                       }) == 1;
  if (!x || !has_one) return;
  const std::string output = place->outputs[0];
  const TensorType type = graph.type(output);
  place->inputs[0] = x->bytes;
  place->outputs = {graph.new_name(output + "/bytes")};
  graph.set_type(place->outputs[0], {x->type, type.shape});
  Node scaling{place->name + "/dequantized", "DequantizeLinear", "", {}, {output}, {}, false};
  scaling.inputs = {place->outputs[0], x->scaling.scale, x->scaling.zero_point};
  graph.insert_after(place, std::move(scaling), type);
}

/// Bytes that are made numbers and the same bytes again.
void drop_round_trip(QuantizedGraph& graph, Place place) {
  const auto x = graph.dequantized(place->inputs[0]);
  const auto scaling = x ? graph.scaling_of(*place, x->type) : std::nullopt;
  const std::string output = place->outputs[0];
  if (!scaling || !graph.are_equal(x->scaling, *scaling) || graph.is_result(output)) return;
  graph.rename_reads(output, x->bytes);
}

bool picks_elements(const Node& node) {
  constexpr std::array<std::string_view, 6> kTypes = {"MaxPool",   "Flatten", "Reshape",
                                                      "Transpose", "Squeeze", "Unsqueeze"};
  return std::ranges::count(kTypes, node.type) > 0;
}

}  // namespace

void join_scalings(Model& model) {
  const bool has_scalings = std::ranges::any_of(model.graph.nodes, [](const Node& node) {
    return node.type == "QuantizeLinear" || node.type == "DequantizeLinear";
  });
  if (!has_scalings) return;  // most models: the passes' own graph costs time with many nodes
  QuantizedGraph graph(model);
  for (Place place = graph.nodes().begin(); place != graph.nodes().end(); ++place) {
    if (!place->domain.empty()) continue;
    if (place->type == "Conv") join_convolution(graph, place);
    if (place->type == "MatMul") join_product(graph, place);
    if (place->type == "Add") join_sum(graph, place);
    if (place->type == "QuantizeLinear") drop_round_trip(graph, place);
    if (picks_elements(*place)) move_behind(graph, place);
  }
  graph.take_back();
}

}  // namespace opbench
