#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "model/operators/operator.h"
#include "model/operators/recurrent/recurrent_cells.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// One ONNX node on its way into a product and steps for each direction.
class RecurrentSplit {
 public:
  RecurrentSplit(Graph& graph, Node node, const RecurrentExtents& extents, int64_t gates)
      : graph_(graph), node_(std::move(node)), extents_(extents), gates_(gates) {}

  std::vector<Node> nodes() {
    std::vector<Made> made;
    for (int64_t d = 0; d < extents_.directions; ++d) made.push_back(add_direction(d));
    join(made, &Made::states, 0, 1);
    join(made, &Made::hidden, 1, 0);
    join(made, &Made::cell, 2, 0);
    return std::move(nodes_);
  }

 private:
  /// The values that the steps of a direction make, by the names of ONNX's outputs if it is the
  /// only one.
  struct Made {
    std::string states, hidden, cell;
  };

  bool has(RecurrentInput input) const {
    return input < node_.inputs.size() && !node_.inputs[input].empty();
  }

  bool is_wanted(size_t output) const {
    return output < node_.outputs.size() && !node_.outputs[output].empty();
  }

  bool has_cell() const { return node_.type == "LSTM"; }
  bool is_linear_before_reset() const {
    return int_attribute(node_, "linear_before_reset", 0) != 0;
  }
  int64_t rows() const { return gates_ * extents_.units; }

  /// Zeros for weights without values.
  std::span<const float> constant(RecurrentInput input) {
    const Tensor& tensor = graph_.constants.at(node_.inputs[input]);
    if (has_values(tensor)) return tensor.as<float>();
    std::vector<float>& zeros = zeros_[input];
    zeros.resize(static_cast<size_t>(tensor.type.size()));
    return zeros;
  }

  std::string name_of(int64_t direction, const std::string& part) const {
    const std::string side = extents_.directions == 2 && direction == 1 ? "/backward" : "";
    return node_.name + side + (part.empty() ? "" : "/" + part);
  }

  /// Adds a node; its first result takes the name `output`, or a new one.
  std::string add(const std::string& name, const std::string& type, std::vector<std::string> inputs,
                  Attributes attributes = {}, const std::string& output = "") {
    const std::string result = output.empty() ? fresh_name(graph_, name) : output;
    graph_.types.try_emplace(result);  // so that the name is taken
    nodes_.push_back({name, type, "", std::move(inputs), {result}, std::move(attributes)});
    return result;
  }

  std::string add_floats(const std::string& name, const Shape& shape, std::vector<float> values) {
    Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
    std::ranges::copy(values, tensor.as<float>().begin());
    return add_constant(graph_, name, std::move(tensor));
  }

  /// A constant that has a type alone.
  std::string add_type(const std::string& name, const Shape& shape) {
    return add_constant(graph_, name, Tensor{{DataType::kFloat32, shape}, {}});
  }

  std::string add_index(const std::string& name, const Shape& shape, int64_t value) {
    Tensor tensor = Tensor::empty({DataType::kInt64, shape});
    tensor.as<int64_t>()[0] = value;
    return add_constant(graph_, name, std::move(tensor));
  }

  Made add_direction(int64_t d) {
    const bool is_only = extents_.directions == 1;
    const auto output = [&](size_t index) {
      return is_only && is_wanted(index) ? node_.outputs[index] : std::string();
    };
    const bool is_backward = d == 1 || extents_.is_reversed;
    std::vector<std::string> inputs = {add_sums(d), add_recurrent_weights(d),
                                       initial_state(d, kHidden)};
    Attributes attributes;
    if (is_backward) attributes["direction"] = std::string("reverse");
    if (node_.attributes.contains("activations")) attributes["activations"] = activations(d);
    if (has_cell()) {
      inputs.push_back(initial_state(d, kCell));
    } else if (is_linear_before_reset()) {
      attributes["linear_before_reset"] = int64_t{1};
      inputs.push_back(add_reset_bias(d));
    }
    const char* type = has_cell() ? "LstmSteps" : node_.type == "GRU" ? "GruSteps" : "RnnSteps";
    Made made;
    made.states = add(name_of(d, ""), type, std::move(inputs), std::move(attributes), output(0));
    if (has_cell()) {
      made.cell = output(2).empty() ? fresh_name(graph_, name_of(d, "cell")) : output(2);
      graph_.types.try_emplace(made.cell);
      nodes_.back().outputs.push_back(made.cell);
    }
    if (!is_wanted(1)) return made;
    const std::string last =
        add_index(name_of(d, "last"), {}, is_backward ? 0 : extents_.steps - 1);
    made.hidden = add(name_of(d, "hidden"), "Gather", {made.states, last}, {}, output(1));
    return made;
  }

  /// The weights of a direction turned, for a product; without values where the model has none.
  std::string add_turned_weights(int64_t d) {
    const std::string name = name_of(d, "weights");
    const Shape shape = {extents_.in, rows()};
    if (!has_values(graph_.constants.at(node_.inputs[kWeight]))) return add_type(name, shape);
    const auto from = constant(kWeight).subspan(static_cast<size_t>(d * rows() * extents_.in));
    std::vector<float> weights(static_cast<size_t>(extents_.in * rows()));
    for (int64_t row = 0; row < rows(); ++row) {
      for (int64_t i = 0; i < extents_.in; ++i) {
        weights[static_cast<size_t>(i * rows() + row)] =
            from[static_cast<size_t>(row * extents_.in + i)];
      }
    }
    return add_floats(name, shape, std::move(weights));
  }

  /// X W + the biases that nothing scales, for all steps.
  std::string add_sums(int64_t d) {
    const std::string matrix = add_turned_weights(d);
    const std::string product = add(name_of(d, "input"), "MatMul", {node_.inputs[kData], matrix});
    if (!has(kBias)) return product;
    std::vector<float> bias;
    for (int64_t row = 0; row < rows(); ++row) {
      const bool is_scaled = is_linear_before_reset() && row >= 2 * extents_.units;
      const float recurrent = is_scaled ? 0.0F : bias_at(d, rows() + row);
      bias.push_back(bias_at(d, row) + recurrent);
    }
    return add(name_of(d, "bias"), "Add",
               {product, add_floats(name_of(d, "biases"), {rows()}, std::move(bias))});
  }

  float bias_at(int64_t d, int64_t row) {
    return constant(kBias)[static_cast<size_t>(2 * d * rows() + row)];
  }

  std::string add_recurrent_weights(int64_t d) {
    const std::string name = name_of(d, "recurrence");
    const Shape shape = {rows(), extents_.units};
    if (!has_values(graph_.constants.at(node_.inputs[kRecurrence]))) return add_type(name, shape);
    const size_t size = static_cast<size_t>(rows() * extents_.units);
    const auto from = constant(kRecurrence).subspan(static_cast<size_t>(d) * size, size);
    return add_floats(name, shape, {from.begin(), from.end()});
  }

  std::string add_reset_bias(int64_t d) {
    std::vector<float> bias(static_cast<size_t>(extents_.units));
    for (int64_t u = 0; u < extents_.units && has(kBias); ++u) {
      bias[static_cast<size_t>(u)] = bias_at(d, rows() + 2 * extents_.units + u);
    }
    return add_floats(name_of(d, "reset_bias"), {extents_.units}, std::move(bias));
  }

  std::string initial_state(int64_t d, RecurrentInput input) {
    const std::string what = input == kHidden ? "initial_hidden" : "initial_cell";
    if (!has(input)) {
      const Shape shape = {1, extents_.batch, extents_.units};
      return add_floats(name_of(d, what), shape,
                        std::vector<float>(static_cast<size_t>(element_count(shape))));
    }
    if (extents_.directions == 1) return node_.inputs[input];
    return add(name_of(d, what), "Gather",
               {node_.inputs[input], add_index(name_of(d, "direction"), {1}, d)});
  }

  std::vector<std::string> activations(int64_t d) const {
    const auto& all = std::get<std::vector<std::string>>(node_.attributes.at("activations"));
    const auto each = std::ssize(all) / extents_.directions;
    return {all.begin() + d * each, all.begin() + (d + 1) * each};
  }

  void join(const std::vector<Made>& made, std::string Made::*value, size_t output, int64_t axis) {
    if (made.size() < 2 || !is_wanted(output)) return;
    std::vector<std::string> parts;
    for (const Made& direction : made) parts.push_back(direction.*value);
    add(name_of(0, "joined" + std::to_string(output)), "Concat", std::move(parts), {{"axis", axis}},
        node_.outputs[output]);
  }

  Graph& graph_;
  const Node node_;
  const RecurrentExtents extents_;
  const int64_t gates_;
  std::vector<Node> nodes_;
  std::map<RecurrentInput, std::vector<float>> zeros_;  ///< for weights without values
};

const RecurrentForm* form_of(const Node& node) {
  if (!node.domain.empty()) return nullptr;
  if (node.type == "LSTM") return &lstm_form();
  if (node.type == "GRU") return &gru_form();
  return node.type == "RNN" ? &rnn_form() : nullptr;
}

bool is_split_recurrent_known(const OperatorCall& call, RecurrentInput input) {
  return !has_input(call, input) || call.constants[input] != nullptr;
}

bool is_every_step_used(const OperatorCall& call, const RecurrentExtents& extents) {
  if (!has_input(call, kLengths)) return true;
  if (call.constants[kLengths] == nullptr) return false;
  return std::ranges::all_of(integers(*call.constants[kLengths]),
                             [&](int64_t length) { return length == extents.steps; });
}

/// The extents of a node that the steps compute: known float32 weights, sequences of full length,
/// activations without values of their own.
std::optional<RecurrentExtents> splittable(const OperatorCall& call, const RecurrentForm& form) {
  const RecurrentExtents extents = recurrent_extents(call);
  const Attributes& attributes = call.node->attributes;
  const bool has_others = attributes.contains("activation_alpha") ||
                          attributes.contains("activation_beta") ||
                          float_attribute(*call.node, "clip", 0.0F) != 0 ||
                          int_attribute(*call.node, "input_forget", 0) != 0;
  const bool is_taken =
      !has_others && !extents.is_batch_first && !has_input(call, kPeepholes) &&
      call.inputs[kData]->data_type == DataType::kFloat32 &&
      is_split_recurrent_known(call, kWeight) && is_split_recurrent_known(call, kRecurrence) &&
      is_split_recurrent_known(call, kBias) && is_every_step_used(call, extents) &&
      extents.steps * extents.batch * extents.in * extents.units > 0 &&
      activations_of(call, form.activations, extents.directions).has_value();
  return is_taken ? std::optional(extents) : std::nullopt;
}

}  // namespace

void split_recurrent(Model& model) {
  Graph& graph = model.graph;
  std::vector<Node> nodes;
  for (Node& node : graph.nodes) {
    const RecurrentForm* form = form_of(node);
    std::optional<RecurrentExtents> extents;
    if (form != nullptr) extents = splittable(call_of(node, graph, model.opset), *form);
    if (!extents) {
      nodes.push_back(std::move(node));
      continue;
    }
    std::vector<Node> parts = RecurrentSplit(graph, std::move(node), *extents, form->gates).nodes();
    std::ranges::move(parts, std::back_inserter(nodes));
  }
  const bool has_changed = nodes.size() != graph.nodes.size();
  graph.nodes = std::move(nodes);
  if (has_changed) drop_unread(graph);
}

}  // namespace opbench
