#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "model/passes/inline_body.h"
#include "model/passes/unrolled.h"

namespace opbench {
namespace {

/// Before, a Scan had a batch, and sequences of different lengths.
constexpr int64_t kFirstOpset = 9;

/// A Scan whose operands, body and attributes go together, turned into nodes iteration by
/// iteration.
class ScanUnroller {
 public:
  ScanUnroller(Graph& graph, int64_t opset, const Node& node, Graph body)
      : graph_(graph), opset_(opset), node_(node), body_(std::move(body)) {}

  Result<std::vector<Node>> nodes(size_t made) {
    OPBENCH_CHECK(check());
    OPBENCH_TRY(const int64_t iterations, count_iterations());
    OPBENCH_CHECK(check_unrolled_nodes(iterations, body_.nodes.size() + scans_, made));
    adopt_constants(graph_, body_, node_.name, constants_);
    carried_.assign(node_.inputs.begin(), node_.inputs.begin() + static_cast<int64_t>(states_));
    parts_.resize(body_.outputs.size() - states_);
    for (int64_t iteration = 0; iteration < iterations; ++iteration)
      add_iteration(iteration, iterations);
    OPBENCH_CHECK(add_results());
    return std::move(nodes_);
  }

 private:
  Result<void> check() {
    const int64_t scans = int_attribute(node_, "num_scan_inputs", 0);
    if (scans < 1 || scans > std::ssize(node_.inputs)) {
      return invalid_input(fmt::format("has num_scan_inputs={}, which does not fit its {} inputs",
                                       scans, node_.inputs.size()));
    }
    scans_ = static_cast<size_t>(scans);
    states_ = node_.inputs.size() - scans_;
    const bool fits = body_.inputs.size() == node_.inputs.size() &&
                      body_.outputs.size() >= states_ &&
                      body_.outputs.size() >= node_.outputs.size();
    return fits ? Result<void>() : invalid_input("has other inputs and outputs than its body");
  }

  int64_t of_scan(const std::string& attribute, size_t index) const {
    const std::vector<int64_t> values = ints_attribute(node_, attribute, {});
    return index < values.size() ? values[index] : 0;
  }

  Result<int64_t> count_iterations() {
    std::optional<int64_t> iterations;
    for (size_t i = 0; i < scans_; ++i) {
      const std::string& name = node_.inputs[states_ + i];
      const auto type = graph_.types.find(name);
      if (type == graph_.types.end())
        return invalid_input(fmt::format("scans \"{}\", whose type is not known", name));
      const Shape& shape = type->second.shape;
      const int64_t axis = of_scan("scan_input_axes", i);
      const int64_t place = axis < 0 ? axis + std::ssize(shape) : axis;
      if (place < 0 || place >= std::ssize(shape)) {
        return invalid_input(fmt::format("scans axis {} of \"{}\", which is outside {}", axis, name,
                                         shape_text(shape)));
      }
      axes_.push_back(place);
      const int64_t extent = shape[static_cast<size_t>(place)];
      if (iterations && *iterations != extent) {
        return invalid_input(fmt::format("scans {} and {} parts at once", *iterations, extent));
      }
      iterations = extent;
    }
    return *iterations;
  }

  void add_iteration(int64_t iteration, int64_t iterations) {
    const std::string prefix = fmt::format("{}/{}", node_.name, iteration);
    OuterNames names = constants_;
    for (size_t i = 0; i < states_; ++i) names[body_.inputs[i].name] = carried_[i];
    for (size_t i = 0; i < scans_; ++i) {
      const bool is_backward = of_scan("scan_input_directions", i) != 0;
      const std::string& inside = body_.inputs[states_ + i].name;
      const std::string part = fmt::format("{}/{}", prefix, inside);
      const std::string at =
          add_scalar(graph_, part + "/at", is_backward ? iterations - 1 - iteration : iteration);
      nodes_.push_back(
          {part, "Gather", "", {node_.inputs[states_ + i], at}, {part}, {{"axis", axes_[i]}}});
      names[inside] = part;
    }
    std::ranges::move(inline_nodes(body_, prefix, names), std::back_inserter(nodes_));
    for (size_t i = 0; i < body_.outputs.size(); ++i) {
      const std::string made = outer_name(names, body_.outputs[i].name);
      if (i < states_) {
        carried_[i] = made;
      } else {
        parts_[i - states_].push_back(made);
      }
    }
  }

  Result<void> add_results() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const std::string& name = node_.outputs[i];
      if (name.empty()) continue;
      if (i < states_) {
        nodes_.push_back({name, "Identity", "", {carried_[i]}, {name}, {}});
        continue;
      }
      const size_t scan = i - states_;
      StackedValue value{name, of_scan("scan_output_axes", scan), std::move(parts_[scan])};
      if (of_scan("scan_output_directions", scan) != 0) std::ranges::reverse(value.parts);
      OPBENCH_CHECK(add_stacked(graph_, opset_, value, body_.outputs[i], nodes_));
    }
    return {};
  }

  Graph& graph_;
  int64_t opset_;
  const Node& node_;
  Graph body_;
  size_t scans_ = 0;   ///< inputs that are cut into parts
  size_t states_ = 0;  ///< inputs that an iteration hands to the next
  std::vector<int64_t> axes_;
  OuterNames constants_;
  std::vector<std::string> carried_;
  std::vector<std::vector<std::string>> parts_;
  std::vector<Node> nodes_;
};

}  // namespace

Result<std::vector<Node>> unroll_scan(Graph& graph, int64_t opset, const Node& node, size_t made) {
  if (opset < kFirstOpset) return invalid_input("has the form of opset 8, with a batch");
  const auto body = node.bodies.find("body");
  if (body == node.bodies.end()) return invalid_input("has no body");
  return ScanUnroller(graph, opset, node, tidy_body(body->second)).nodes(made);
}

}  // namespace opbench
