#include "engines/package/layout_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "machine/target/device_type.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

// Fewer channels than this (images) are left dense: the first convolution reads them as they are.
constexpr int64_t kFewChannels = 5;

// Operators that follow a layout and keep finite values finite: what stands in the lanes past the
// last channel must never become infinite or NaN, since weights of zero do not cancel those.
constexpr std::array<std::string_view, 27> kKeepsFinite = {"Relu",
                                                           "LeakyRelu",
                                                           "Clip",
                                                           "Sigmoid",
                                                           "Tanh",
                                                           "HardSigmoid",
                                                           "HardSwish",
                                                           "Elu",
                                                           "Selu",
                                                           "Softplus",
                                                           "Abs",
                                                           "Neg",
                                                           "Add",
                                                           "Sub",
                                                           "Mul",
                                                           "Max",
                                                           "Min",
                                                           "Erf",
                                                           "Softsign",
                                                           "Floor",
                                                           "Ceil",
                                                           "PRelu",
                                                           "QuantizeLinear",
                                                           "DequantizeLinear",
                                                           "QLinearAdd",
                                                           "GlobalAveragePool",
                                                           "GlobalMaxPool"};

bool is_blockable(const TensorType& type) {
  constexpr std::array kTypes = {DataType::kFloat32, DataType::kInt8, DataType::kUint8,
                                 DataType::kInt32};
  return std::ranges::find(kTypes, type.data_type) != kTypes.end() && type.shape.size() == 4;
}

const OperatorDef& anchor_of(const Unit& unit) {
  return *operator_of(unit.workload.graph.nodes.front());
}

/// Channels that lie together in memory by default: the lanes of a CPU's vectors. 0: no blocks.
int block_for(const Target& target) {
  return device_type(target) == DeviceType::kCpu ? float_lanes(target) : 0;
}

bool keeps_padding_finite(const Unit& unit, int64_t channels, int block) {
  if (channels % block == 0) return true;
  const auto& nodes = unit.workload.graph.nodes;
  const size_t first = anchor_of(unit).layout == LayoutRole::kFollows ? 0 : 1;
  return std::all_of(
      nodes.begin() + static_cast<int64_t>(std::min(first, nodes.size())), nodes.end(),
      [](const Node& node) { return std::ranges::count(kKeepsFinite, node.type) > 0; });
}

/// The kernel of a workload in its layouts; no schedule: none takes it.
struct Chosen {
  KernelSpec kernel;
  std::string origin;
};

class LayoutPlanner {
 public:
  LayoutPlanner(const Model& model, const Target& target, const std::set<std::string>& refused,
                const GivenLayouts& given, const KernelChoices& choices, int threads,
                const UnitPlacement& placement)
      : model_(model),
        target_(target),
        placement_(placement),
        refused_(refused),
        given_(given),
        choices_(choices),
        threads_(threads),
        block_(block_for(host_target())) {}

  // A value whose layout nothing can change stays dense, which may take blocks from others: the
  // plan is made again until every layout that is needed can be had.
  Result<std::vector<PlannedStep>> plan(const std::vector<Unit>& units) {
    OPBENCH_CHECK(take_given_block());
    for (const Node& node : model_.graph.nodes) {
      const OperatorDef* definition = operator_of(node);
      if (definition == nullptr || definition->fusion != FusionRole::kView) continue;
      viewed_[node.outputs.front()] = node.inputs.front();
    }
    for (;;) {
      const size_t before = dense_.size();
      plan_once(units);
      if (!unmade_.empty()) {
        return Error{ErrorCode::kInvalidInput, "no unit makes the value \"" + unmade_ + "\""};
      }
      if (dense_.size() == before) break;
    }
    OPBENCH_CHECK(check_kernels());
    return std::move(steps_);
  }

 private:
  Result<void> take_given_block() {
    int block = 0;
    for (const auto& [name, wanted] : given_) {
      if (wanted == 0 || wanted == block) continue;
      if (block != 0) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("layouts mix blocks of {} and {} channels", block, wanted)};
      }
      block = wanted;
    }
    if (block != 0) block_ = block;
    return {};
  }

  // References take dense tensors only.
  Result<void> check_kernels() const {
    for (const PlannedStep& step : steps_) {
      const std::vector<int>& blocks = step.identity.blocks;
      if (step.has_kernel() || std::ranges::count(blocks, 0) == std::ssize(blocks)) continue;
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("no kernel computes \"{}\" in these layouts", text_of(step.workload()))}
          .with("blocks", fmt::format("{}", fmt::join(blocks, ",")));
    }
    return {};
  }

  void plan_once(const std::vector<Unit>& units) {
    steps_.clear();
    available_.clear();
    for (const Value& input : model_.graph.inputs)
      available_.insert({input.name, block_of(given_, input.name)});
    for (const auto& [name, constant] : model_.graph.constants) available_.insert({name, 0});
    for (const Unit& unit : units) add_unit(unit);
    for (const Value& output : model_.graph.outputs)
      require({output.name, block_of(given_, output.name)});
  }

  const TensorType& type(const std::string& name) const { return model_.graph.types.at(name); }

  bool is_constant(const std::string& name) const { return model_.graph.constants.contains(name); }

  /// Of changes of layout, and of units beside a device.
  const Target& host_target() const { return placement_.is_given() ? placement_.host : target_; }

  // Every choice of blocks (operands, then output) in order of preference.
  std::vector<std::vector<int>> candidates(const Unit& unit, const Target& target) const {
    const size_t count = unit.operands.size() + 1;
    std::vector<std::vector<int>> result;
    const LayoutRole role = anchor_of(unit).layout;
    const TensorType& out = type(unit.output);
    const bool blocks_output = block_ > 0 && &target == &host_target() && is_blockable(out) &&
                               !dense_.contains(unit.output) &&
                               keeps_padding_finite(unit, out.shape[1], block_);
    if (role != LayoutRole::kPlain && blocks_output &&
        (role == LayoutRole::kBlocked || reads_blocked(unit))) {
      std::vector<int> blocked(count, 0);
      for (size_t i = 0; i < unit.operands.size(); ++i) blocked[i] = blocked_operand(unit, i);
      blocked.back() = block_;
      result.push_back(blocked);
      if (role == LayoutRole::kBlocked && blocked.front() != 0) {
        blocked.front() = 0;
        result.push_back(blocked);
      }
    }
    result.emplace_back(count, 0);
    for (std::vector<int>& blocks : result) set_given(unit, blocks);
    return result;
  }

  void set_given(const Unit& unit, std::vector<int>& blocks) const {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool is_output = i == unit.operands.size();
      const auto given = given_.find(is_output ? unit.output : unit.operands[i]);
      if (given != given_.end()) blocks[i] = given->second;
    }
  }

  bool reads_blocked(const Unit& unit) const {
    return std::ranges::any_of(unit.operands, [&](const std::string& name) {
      return !is_constant(name) && available_.contains({name, block_});
    });
  }

  int blocked_operand(const Unit& unit, size_t index) const {
    const std::string& name = unit.operands[index];
    if (is_constant(name) || !is_blockable(type(name)) || dense_.contains(name)) return 0;
    if (available_.contains({name, block_})) return block_;
    return type(name).shape[1] < kFewChannels ? 0 : block_;
  }

  KernelSpec spec_for(const Workload& workload, const std::vector<int>& blocks,
                      const Target& target) const {
    KernelSpec spec;
    spec.workload = workload;
    for (const int block : blocks) spec.layouts.push_back({block});
    spec.target = target;
    spec.threads = threads_;
    return spec;
  }

  // Models repeat their layers: a kernel is chosen once. Returns whether the spec has got one.
  bool choose(KernelSpec& spec, std::string& origin) {
    std::string key = spec.target.kind + "|" + text_of(spec.workload);
    for (const Layout& layout : spec.layouts) key += fmt::format("|{}", layout.block);
    auto chosen = chosen_.find(key);
    if (chosen == chosen_.end()) chosen = chosen_.emplace(key, choice_for(spec)).first;
    spec.schedule = chosen->second.kernel.schedule;
    spec.config = chosen->second.kernel.config;
    origin = chosen->second.origin;
    return !spec.schedule.empty();
  }

  Chosen choice_for(KernelSpec spec) const {
    const KernelChoice* choice = choices_.complete(spec, refused_);
    if (choice == nullptr && !choose_schedule(spec, refused_)) return {};
    return {std::move(spec), choice == nullptr ? "" : choice->origin};
  }

  void add_unit(const Unit& unit) {
    KernelSpec kernel;
    std::string origin;
    for (const Target* const target :
         {&placement_.target_of(unit.output, target_), &host_target()}) {
      if (!kernel.schedule.empty()) break;
      for (const auto& blocks : candidates(unit, *target)) {
        kernel = spec_for(unit.workload, blocks, *target);
        if (choose(kernel, origin)) break;
      }
    }
    std::vector<std::string> nodes;
    for (const size_t node : unit.nodes) nodes.push_back(model_.graph.nodes[node].name);
    PlannedStep step = step_of(std::move(kernel), std::move(origin), std::move(nodes));
    step.values = {unit.operands, unit.output, unit.further_outputs};
    for (size_t i = 0; i < unit.operands.size(); ++i) {
      require({unit.operands[i], step.identity.blocks[i]});
    }
    available_.insert({unit.output, step.identity.blocks.back()});
    for (const std::string& name : unit.further_outputs) available_.insert({name, 0});
    steps_.push_back(std::move(step));
  }

  // Makes sure that a value exists in a layout, by a layout change if need be. A view (Reshape, …)
  // is no step: its result is another name for a dense value.
  void require(const PlannedValue& wanted) {
    if (available_.contains(wanted) || is_constant(wanted.name)) return;
    if (const auto view = viewed_.find(wanted.name);
        view != viewed_.end() && available_.insert({wanted.name, 0}).second) {
      require({view->second, 0});
      if (wanted.block == 0) return;
    }
    const int from = wanted.block == 0 ? block_ : 0;
    if (!available_.contains({wanted.name, from})) {
      unmade_ = wanted.name;
      return;
    }
    KernelSpec kernel =
        spec_for(identity_workload(type(wanted.name)), {from, wanted.block}, host_target());
    std::string origin;
    if (!choose(kernel, origin)) dense_.insert(wanted.name);
    PlannedStep step = step_of(std::move(kernel), std::move(origin), {});
    step.values = {.operands = {wanted.name}, .output = wanted.name, .further_outputs = {}};
    available_.insert(wanted);
    steps_.push_back(std::move(step));
  }

  const Model& model_;
  const Target& target_;
  const UnitPlacement& placement_;
  std::map<std::string, Chosen> chosen_;  ///< by workload and layouts
  const std::set<std::string>& refused_;
  const GivenLayouts& given_;
  const KernelChoices& choices_;
  const int threads_;
  int block_;
  std::string unmade_;                         ///< a value that is read and made by nothing
  std::set<std::string> dense_;                ///< values whose layout nothing can change
  std::map<std::string, std::string> viewed_;  ///< a view's result: what it views
  std::set<PlannedValue> available_;
  std::vector<PlannedStep> steps_;
};

}  // namespace

MemoryScope PlannedStep::runs_on() const {
  const bool is_on_device = has_kernel() && device_type(target) != DeviceType::kCpu;
  return is_on_device ? MemoryScope::kDevice : MemoryScope::kHost;
}

PlannedValue PlannedStep::operand(size_t index) const {
  return {values.operands[index], identity.blocks[index],
          copy == StepCopy::kToHost ? MemoryScope::kDevice : runs_on()};
}

PlannedValue PlannedStep::output() const {
  return {values.output, identity.blocks.back(),
          copy == StepCopy::kToDevice ? MemoryScope::kDevice : runs_on()};
}

KernelSpec PlannedStep::kernel() const {
  KernelSpec spec{.workload = workload(),
                  .layouts = {},
                  .target = target,
                  .schedule = has_kernel() ? identity.schedule : "",
                  .config = config,
                  .threads = threads};
  for (const int block : identity.blocks) spec.layouts.push_back({block});
  return spec;
}

PlannedStep step_of(KernelSpec kernel, std::string origin, std::vector<std::string> nodes) {
  UnitIdentity identity{.operator_text = nodes.empty() ? "layout" : operator_text(kernel.workload),
                        .workload = {},
                        .blocks = blocks_of(kernel),
                        .schedule = kernel.schedule.empty() ? kReferenceSchedule : kernel.schedule,
                        .origin = std::move(origin),
                        .nodes = std::move(nodes)};
  identity.workload = std::move(kernel.workload);
  return {.identity = std::move(identity),
          .values = {},
          .target = std::move(kernel.target),
          .config = std::move(kernel.config),
          .threads = kernel.threads};
}

Workload identity_workload(const TensorType& type) {
  Workload workload;
  workload.opset = 17;
  Graph& graph = workload.graph;
  Node node;
  node.name = node.type = "Identity";
  node.inputs = {"x0"};
  node.outputs = {"y"};
  graph.nodes = {node};
  Value value{"x0", type.data_type, true, {}};
  for (const int64_t extent : type.shape) value.dimensions.push_back({extent, ""});
  graph.inputs = {value};
  value.name = "y";
  graph.outputs = {value};
  graph.types = {{"x0", type}, {"y", type}};
  return workload;
}

int block_of(const GivenLayouts& given, const std::string& name) {
  const auto found = given.find(name);
  return found == given.end() ? 0 : found->second;
}

Result<std::vector<PlannedStep>> plan_layouts(const Model& model, const std::vector<Unit>& units,
                                              const Target& target,
                                              const std::set<std::string>& refused,
                                              const GivenLayouts& given,
                                              const KernelChoices& choices, int threads,
                                              const UnitPlacement& placement) {
  return LayoutPlanner(model, target, refused, given, choices, threads, placement).plan(units);
}

std::vector<int> blocks_alone(const Workload& workload, const Target& target) {
  const auto& types = workload.graph.types;
  const bool may_block =
      std::ranges::any_of(types, [](const auto& entry) { return is_blockable(entry.second); });
  if (!may_block) return std::vector<int>(workload.graph.inputs.size() + 1, 0);
  Model model;
  model.graph = workload.graph;
  std::erase_if(model.graph.inputs, [&](const Value& v) { return workload.is_weight(v.name); });
  for (const std::string& weight : workload.weights) {
    model.graph.constants[weight].type = workload.graph.types.at(weight);
  }
  Unit unit{{}, workload, {}, workload.graph.outputs.front().name};
  for (size_t i = 1; i < workload.graph.outputs.size(); ++i) {
    unit.further_outputs.push_back(workload.graph.outputs[i].name);
  }
  for (size_t i = 0; i < workload.graph.nodes.size(); ++i) unit.nodes.push_back(i);
  for (const Value& input : workload.graph.inputs) unit.operands.push_back(input.name);
  const auto steps = plan_layouts(model, {unit}, target);
  if (!steps) return {};
  for (const PlannedStep& step : *steps) {
    if (!step.identity.is_layout_change()) return step.identity.blocks;
  }
  return {};
}

}  // namespace opbench
