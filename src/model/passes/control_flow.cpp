#include "model/passes/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/operators/operand.h"
#include "model/passes/evaluate.h"
#include "model/passes/inline_branch.h"
#include "model/passes/unrolled.h"

namespace opbench {
namespace {

/// A loop's inputs before those that it carries: the trip count and the condition.
constexpr size_t kFirstCarried = 2;

std::string key_of(const Node& node) {
  return node.outputs.empty() ? node.name : node.outputs.front();
}

bool has_form_of_loop(const Node& node, const Graph& body) {
  return node.inputs.size() >= kFirstCarried && body.inputs.size() == node.inputs.size() &&
         body.outputs.size() + 1 >= body.inputs.size() &&
         body.outputs.size() >= node.outputs.size() + 1;
}

}  // namespace

std::optional<std::vector<Node>> ControlFlow::expand(const Node& node) {
  if (!is_control_flow(node)) return {};
  if (node.type == "If") return take_branch(with_own_name(node));
  if (!unrolls_) return {};
  if (node.type == "Loop") return unroll_loop(with_own_name(node));
  return unroll_whole_scan(with_own_name(node));
}

/// Nodes may share a name, but what their bodies hold may not.
Node ControlFlow::with_own_name(const Node& node) {
  Node named = node;
  const std::string& owner = owners_.try_emplace(node.name, key_of(node)).first->second;
  if (owner != key_of(node)) named.name = fmt::format("{}/{}", node.name, key_of(node));
  return named;
}

std::optional<std::vector<Node>> ControlFlow::take_branch(const Node& node) {
  if (node.inputs.size() != 1) return stop(node, "has no condition");
  const auto condition = known_number(node.inputs[0]);
  if (!condition) return take_both_branches(node);
  auto nodes = inline_branch(graph_, node, *condition != 0);
  return nodes ? std::move(nodes) : stop(node, "has other outputs than its branch");
}

/// Where takes the results of one branch, and those of the other one are dropped: nodes have no
/// effects but their results.
std::optional<std::vector<Node>> ControlFlow::take_both_branches(const Node& node) {
  std::string condition = node.inputs[0];
  const auto type = graph_.types.find(condition);
  if (type == graph_.types.end() || type->second.size() != 1)
    return wait_for(node, "condition", condition);
  std::vector<Node> nodes;
  const auto add_branch = [&](const char* side, bool is_true) {
    Node branch = node;
    branch.name += side;
    for (std::string& output : branch.outputs)
      if (!output.empty()) output = fresh_name(graph_, output + side);
    auto inlined = inline_branch(graph_, branch, is_true);
    if (inlined) std::ranges::move(*inlined, std::back_inserter(nodes));
    return inlined ? branch.outputs : std::vector<std::string>();
  };
  const std::vector<std::string> of_then = add_branch("/then", true);
  const std::vector<std::string> of_else = add_branch("/else", false);
  if (of_then.empty() || of_else.empty()) return stop(node, "has other outputs than its branches");
  if (!type->second.shape.empty()) {
    const std::string scalar = fresh_name(graph_, node.name + "/condition");
    const std::string shape = add_constant(graph_, node.name + "/scalar", integer_tensor({}));
    nodes.push_back({scalar, "Reshape", "", {condition, shape}, {scalar}, {}});
    condition = scalar;
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& output = node.outputs[i];
    if (output.empty()) continue;
    const std::vector<std::string> operands = {condition, of_then[i], of_else[i]};
    nodes.push_back({output + "/choice", "Where", "", operands, {output}, {}});
    choices_[output] = {node.name, node.inputs[0], of_then[i], of_else[i]};
  }
  return nodes;
}

const RunChoice* ControlFlow::choice_of(const Node& node) const {
  const auto choice = node.outputs.empty() ? choices_.end() : choices_.find(node.outputs.front());
  return choice == choices_.end() ? nullptr : &choice->second;
}

std::optional<std::vector<Node>> ControlFlow::unroll_loop(const Node& node) {
  auto place = iterations_.find(key_of(node));
  if (place == iterations_.end()) {
    const auto body = node.bodies.find("body");
    if (body == node.bodies.end()) return stop(node, "has no body");
    Graph tidy = tidy_body(body->second);
    if (!has_form_of_loop(node, tidy)) {
      return stop(node, "has other inputs and outputs than its body");
    }
    place = iterations_.emplace(key_of(node), start(node, std::move(tidy))).first;
  }
  Iterations& iterations = place->second;
  const std::string& count = node.inputs[0];
  const std::string& condition = node.inputs[1];
  const auto most = known_number(count);
  if (!count.empty() && !most) return wait_for(node, "trip count", count);
  if (most && iterations.done >= *most) return end_loop(node, iterations);
  const auto goes_on = known_number(condition);
  if (!condition.empty() && !goes_on) {
    return wait_for(node, fmt::format("condition before iteration {}", iterations.done), condition);
  }
  if (goes_on == 0) return end_loop(node, iterations);
  // A count that is known tells at once that there is no room; a condition tells in the end.
  const int64_t left = most && iterations.done == 0 && condition.empty() ? *most : 1;
  const size_t each = iterations.body.nodes.size() + 1;
  const auto room = check_unrolled_nodes(left, each, made_);
  if (!room) return stop(node, room.error().message);
  made_ += each;
  return make_iteration(node, iterations);
}

ControlFlow::Iterations ControlFlow::start(const Node& node, Graph body) {
  Iterations iterations;
  adopt_constants(graph_, body, node.name, iterations.constants);
  const uint8_t yes = 1;
  iterations.go_on = add_constant(graph_, node.name + "/go_on",
                                  Tensor::of<uint8_t>(DataType::kBool, {}, {&yes, 1}));
  iterations.parts.resize(body.outputs.size() + 1 - body.inputs.size());
  iterations.body = std::move(body);
  return iterations;
}

std::vector<Node> ControlFlow::make_iteration(const Node& node, Iterations& iterations) {
  const std::string prefix = fmt::format("{}/{}", node.name, iterations.done);
  OuterNames names = iterations.constants;
  names[iterations.body.inputs[0].name] =
      add_scalar(graph_, prefix + "/iteration", iterations.done);
  names[iterations.body.inputs[1].name] = iterations.go_on;
  for (size_t i = kFirstCarried; i < node.inputs.size(); ++i) {
    names[iterations.body.inputs[i].name] = node.inputs[i];
  }
  std::vector<Node> nodes = inline_nodes(iterations.body, prefix, names);
  Node rest = node;
  for (size_t i = 0; i < iterations.body.outputs.size(); ++i) {
    const std::string made = outer_name(names, iterations.body.outputs[i].name);
    if (i + 1 < node.inputs.size()) {
      rest.inputs[i + 1] = made;  // the condition, then what is carried
    } else {
      iterations.parts[i + 1 - node.inputs.size()].push_back(made);
    }
  }
  ++iterations.done;
  nodes.push_back(std::move(rest));
  return nodes;
}

std::optional<std::vector<Node>> ControlFlow::end_loop(const Node& node,
                                                       const Iterations& iterations) {
  std::vector<Node> nodes;
  const size_t carried = node.inputs.size() - kFirstCarried;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& name = node.outputs[i];
    if (name.empty()) continue;
    if (i < carried) {
      nodes.push_back({name, "Identity", "", {node.inputs[kFirstCarried + i]}, {name}, {}});
      continue;
    }
    const StackedValue value{name, 0, iterations.parts[i - carried]};
    const auto added = add_stacked(graph_, opset_, value, iterations.body.outputs[i + 1], nodes);
    if (!added) return stop(node, added.error().message);
  }
  iterations_.erase(key_of(node));
  return nodes;
}

std::optional<std::vector<Node>> ControlFlow::unroll_whole_scan(const Node& node) {
  auto nodes = unroll_scan(graph_, opset_, node, made_);
  if (!nodes) return stop(node, nodes.error().message);
  made_ += nodes->size();
  return std::move(nodes).value();
}

std::optional<int64_t> ControlFlow::known_number(const std::string& name) const {
  const auto known = known_.find(name);
  const auto constant = graph_.constants.find(name);
  if (known == known_.end() && constant == graph_.constants.end()) return {};
  const Tensor& tensor = known != known_.end() ? known->second : constant->second;
  if (!has_values(tensor)) return {};
  const std::vector<int64_t> elements = integers(tensor);
  return elements.size() == 1 ? std::optional(elements[0]) : std::nullopt;
}

std::nullopt_t ControlFlow::stop(const Node& node, const std::string& reason) {
  stuck_[key_of(node)] = {node.type, node.name, reason, {}};
  const auto iterations = iterations_.find(key_of(node));
  is_torn_ = is_torn_ || (iterations != iterations_.end() && iterations->second.done > 0);
  return std::nullopt;
}

std::nullopt_t ControlFlow::wait_for(const Node& node, const std::string& what,
                                     const std::string& value) {
  stop(node, fmt::format("has a {} (\"{}\") that is only known in the run", what, value));
  stuck_[key_of(node)].inputs = deciding_inputs(graph_, value);
  return std::nullopt;
}

}  // namespace opbench
