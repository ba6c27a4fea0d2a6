#include "engines/package/device_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "machine/target/device_type.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

constexpr const char* kCopyText = "copy";

class CopyPlanner {
 public:
  explicit CopyPlanner(const Graph& graph) : graph_(graph) {
    for (const Node& node : graph.nodes) {
      const OperatorDef* const definition = operator_of(node);
      if (definition == nullptr || definition->fusion != FusionRole::kView) continue;
      viewed_[node.outputs.front()] = node.inputs.front();
    }
  }

  std::vector<PlannedStep> plan(std::vector<PlannedStep> steps, const GivenLayouts& given) {
    for (const Value& input : graph_.inputs) {
      there_.insert({input.name, block_of(given, input.name), MemoryScope::kHost});
    }
    for (PlannedStep& step : steps) {
      for (size_t i = 0; i < step.values.operands.size(); ++i) require(step.operand(i));
      there_.insert(step.output());
      for (const std::string& name : step.values.further_outputs) {
        there_.insert({name, 0, step.runs_on()});
      }
      steps_.push_back(std::move(step));
    }
    for (const Value& output : graph_.outputs) {
      require({output.name, block_of(given, output.name), MemoryScope::kHost});
    }
    return std::move(steps_);
  }

 private:
  // A view is another name for the bytes of what it views.
  PlannedValue root_of(PlannedValue value) const {
    if (value.block != 0) return value;
    for (auto view = viewed_.find(value.name); view != viewed_.end();
         view = viewed_.find(value.name)) {
      if (there_.contains(value)) return value;
      value.name = view->second;
    }
    return value;
  }

  void require(const PlannedValue& wanted) {
    const PlannedValue root = root_of(wanted);
    if (graph_.constants.contains(root.name) || there_.contains(root)) return;
    PlannedValue other = root;
    const bool is_upload = root.scope == MemoryScope::kDevice;
    other.scope = is_upload ? MemoryScope::kHost : MemoryScope::kDevice;
    if (!there_.contains(other)) return;  // the planner of layouts has said what is missing
    PlannedStep copy{
        .identity = {.operator_text = kCopyText,
                     .workload = identity_workload(graph_.types.at(root.name)),
                     .blocks = {root.block, root.block},
                     .schedule = is_upload ? "to_device" : "to_host"},
        .values = {.operands = {root.name}, .output = root.name, .further_outputs = {}},
        .target = {},
        .config = {}};
    copy.copy = is_upload ? StepCopy::kToDevice : StepCopy::kToHost;
    there_.insert(root);
    steps_.push_back(std::move(copy));
  }

  const Graph& graph_;
  std::map<std::string, std::string> viewed_;  ///< a view's result: what it views
  std::set<PlannedValue> there_;
  std::vector<PlannedStep> steps_;
};

}  // namespace

std::vector<PlannedStep> with_device_copies(const Model& model, std::vector<PlannedStep> steps,
                                            const GivenLayouts& given) {
  const bool has_device = std::ranges::any_of(
      steps, [](const PlannedStep& step) { return step.runs_on() == MemoryScope::kDevice; });
  return has_device ? CopyPlanner(model.graph).plan(std::move(steps), given) : std::move(steps);
}

std::string units_on_host(const std::vector<PlannedStep>& steps, const Target& target) {
  if (device_type(target) == DeviceType::kCpu) return "";
  std::map<std::string, int> units;
  int count = 0;
  bool has_copies = false;
  for (const PlannedStep& step : steps) {
    has_copies = has_copies || step.copy != StepCopy::kNone;
    if (step.has_kernel() || step.copy != StepCopy::kNone) continue;
    ++units[step.identity.operator_text];
    ++count;
  }
  if (count == 0) return "";
  std::vector<std::string> names;
  for (const auto& [name, times] : units) names.push_back(fmt::format("{} {}", times, name));
  return fmt::format("{} no kernel for {} and {} operators' references{}: {}",
                     count == 1 ? "1 unit has" : fmt::format("{} units have", count), target.kind,
                     count == 1 ? "runs on the host as its" : "run on the host as their",
                     has_copies ? ", between copies" : "", fmt::join(names, ", "));
}

}  // namespace opbench
