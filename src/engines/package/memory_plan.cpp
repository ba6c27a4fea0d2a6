#include "engines/package/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "model/operators/operator.h"

namespace opbench {
namespace {

constexpr int64_t kAlignment = 64;

// Where a slot's bytes are: in a root slot of its own, or inside another slot.
struct Placement {
  int parent = -1;
  int64_t offset = 0;  ///< bytes inside the parent
  int first = 0;       ///< step that makes it; -1: graph input
  int last = 0;        ///< last step that reads it
};

struct Interval {
  int slot, first, last;
  int64_t bytes;
};

int64_t rounded(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

class MemoryPlanner {
 public:
  MemoryPlanner(const Model& model, const std::vector<PlannedStep>& steps,
                const GivenLayouts& given)
      : graph_(model.graph), steps_(steps), given_(given), end_(static_cast<int>(steps.size())) {
    plan_.program.model = model.name;
  }

  MemoryPlan plan() {
    find_views();
    for (const Value& input : graph_.inputs) {
      plan_.program.inputs.push_back(make_slot({input.name, block_of(given_, input.name)}, -1));
      use(plan_.program.inputs.back(), end_);
    }
    for (size_t i = 0; i < steps_.size(); ++i) add_step(i);
    for (const Value& output : graph_.outputs) {
      plan_.program.outputs.push_back(slot_of({output.name, block_of(given_, output.name)}, end_));
    }
    place();
    return std::move(plan_);
  }

 private:
  void find_views() {
    for (const Node& node : graph_.nodes) {
      const OperatorDef* definition = operator_of(node);
      if (definition == nullptr || definition->fusion != FusionRole::kView) continue;
      viewed_[node.outputs.front()] = node.inputs.front();
    }
  }

  Slot& slot(int index) { return plan_.program.slots[static_cast<size_t>(index)]; }
  Placement& placement(int index) { return placements_[static_cast<size_t>(index)]; }

  int make_slot(const PlannedValue& value, int step) {
    Slot made;
    made.name = value.name;
    made.type = graph_.types.at(value.name);
    made.layout = {value.block};
    made.physical = physical_shape(made.type.shape, made.layout);
    made.bytes = element_count(made.physical) * static_cast<int64_t>(size_of(made.type.data_type));
    plan_.program.slots.push_back(std::move(made));
    placements_.push_back({-1, 0, step, step});
    const int index = static_cast<int>(placements_.size()) - 1;
    slots_[value] = index;
    return index;
  }

  void use(int index, int step) {
    for (; index >= 0; index = placement(index).parent) {
      placement(index).last = std::max(placement(index).last, step);
    }
  }

  // A graph output may be a constant that nothing computes: it gets a step's place of its own kind.
  int slot_of(const PlannedValue& value, int step) {
    const auto known = slots_.find(value);
    if (known != slots_.end()) {
      use(known->second, step);
      return known->second;
    }
    const std::string& root = viewed_root(value.name);
    const auto view = viewed_.find(value.name);
    if (view != viewed_.end() && value.block == 0 && !graph_.constants.contains(root)) {
      const int source = slot_of({view->second, 0}, step);
      const int index = make_slot(value, placement(source).first);
      placement(index).parent = source;
      use(index, step);
      return index;
    }
    const int index = make_slot(value, -1);
    slot(index).storage = Storage::kWeights;
    plan_.weights.push_back({index, steps_.size(), 0, root});
    return index;
  }

  // The value whose bytes a value is: itself, or what views of views begin with.
  const std::string& viewed_root(const std::string& name) const {
    const auto view = viewed_.find(name);
    return view == viewed_.end() ? name : viewed_root(view->second);
  }

  void add_step(size_t index) {
    const PlannedStep& planned = steps_[index];
    const int step = static_cast<int>(index);
    if (is_free_layout_change(planned)) {
      const int source = slot_of(planned.operands.front(), step);
      const int made = make_slot(planned.output, placement(source).first);
      placement(made).parent = source;
      return;
    }
    Step program_step;
    for (size_t i = 0; i < planned.operands.size(); ++i) {
      if (graph_.constants.contains(planned.operands[i].name)) {
        program_step.arguments.push_back(weight_slot(index, i));
      } else {
        program_step.arguments.push_back(slot_of(planned.operands[i], step));
      }
    }
    program_step.result = make_slot(planned.output, step);
    if (place_parts(planned, program_step)) return;
    program_step.unit = static_cast<int>(plan_.program.steps.size());
    program_step.workload = text_of(planned.spec.workload);
    plan_.program.steps.push_back(std::move(program_step));
    plan_.planned.push_back(index);
  }

  int weight_slot(size_t step, size_t operand) {
    const PlannedValue& value = steps_[step].operands[operand];
    const int index = make_slot({value.name, -1 - static_cast<int>(step)}, -1);
    slot(index).layout = {};
    slot(index).physical = slot(index).type.shape;
    slot(index).storage = Storage::kWeights;
    plan_.weights.push_back({index, step, operand, value.name});
    return index;
  }

  bool is_free_layout_change(const PlannedStep& step) const {
    const auto& nodes = step.spec.workload.graph.nodes;
    if (!step.nodes.empty() || nodes.size() != 1 || nodes.front().type != "Identity") return false;
    const Shape& shape = graph_.types.at(step.output.name).shape;
    const int block = std::max(step.output.block, step.operands.front().block);
    const bool is_one_pixel = shape.size() == 4 && shape[2] == 1 && shape[3] == 1;
    const bool has_whole_blocks = shape.size() == 4 && shape[1] % block == 0;
    // Towards dense, lanes past the last channel may be cut off; towards blocks they would have to
    // be made.
    const bool may_cut = step.output.block == 0 && shape[0] == 1;
    return is_one_pixel && (has_whole_blocks || may_cut);
  }

  // The parts of a concatenation become pieces of its result when they lie there one after the
  // other, each on a boundary as kernels need it, each is made by a step, and none is a piece of
  // something else already.
  bool place_parts(const PlannedStep& step, const Step& program_step) {
    const auto& nodes = step.spec.workload.graph.nodes;
    if (nodes.size() != 1 || nodes.front().type != "Concat") return false;
    const Slot& result = slot(program_step.result);
    int64_t axis = int_attribute(nodes.front(), "axis", 1);
    if (axis < 0) axis += static_cast<int64_t>(result.type.shape.size());
    if (result.layout.block != 0 && axis != 1) return false;
    const auto before = result.physical.begin() + axis;
    if (!std::all_of(result.physical.begin(), before, [](int64_t e) { return e == 1; }))
      return false;
    if (program_step.arguments.size() != nodes.front().inputs.size()) return false;
    std::set<int> seen;
    int64_t offset = 0;
    for (const int part : program_step.arguments) {
      if (!may_be_piece(part, result.layout.block) || !seen.insert(part).second) return false;
      if (offset % kAlignment != 0) return false;
      offset += slot(part).bytes;
    }
    offset = 0;
    for (const int part : program_step.arguments) {
      placement(part).parent = program_step.result;
      placement(part).offset = offset;
      placement(program_step.result).first =
          std::min(placement(program_step.result).first, placement(part).first);
      offset += slot(part).bytes;
    }
    return true;
  }

  bool may_be_piece(int index, int block) {
    const Slot& part = slot(index);
    const Placement& place = placement(index);
    const bool is_made = part.storage == Storage::kArena && place.first >= 0 && place.parent < 0;
    const bool is_whole = block == 0 || part.type.shape[1] % block == 0;
    return is_made && is_whole && part.layout.block == block && !is_output(graph_, part.name);
  }

  void place() {
    std::vector<Interval> roots;
    for (size_t i = 0; i < placements_.size(); ++i) {
      const int index = static_cast<int>(i);
      if (slot(index).storage != Storage::kArena || placement(index).parent >= 0) continue;
      roots.push_back({index, placement(index).first, placement(index).last, slot(index).bytes});
    }
    std::ranges::stable_sort(roots, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    std::vector<Interval> placed;
    for (const Interval& root : roots) {
      slot(root.slot).offset = lowest_free(placed, root);
      placed.push_back(root);
      plan_.program.arena_bytes =
          std::max(plan_.program.arena_bytes, slot(root.slot).offset + rounded(root.bytes));
    }
    for (size_t i = 0; i < placements_.size(); ++i) {
      int64_t offset = 0;
      int index = static_cast<int>(i);
      for (; placement(index).parent >= 0; index = placement(index).parent) {
        offset += placement(index).offset;
      }
      if (index != static_cast<int>(i))
        slot(static_cast<int>(i)).offset = slot(index).offset + offset;
    }
  }

  int64_t lowest_free(const std::vector<Interval>& placed, const Interval& wanted) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (const Interval& other : placed) {
      if (other.first > wanted.last || other.last < wanted.first) continue;
      taken.emplace_back(slot(other.slot).offset, slot(other.slot).offset + rounded(other.bytes));
    }
    std::ranges::sort(taken);
    int64_t offset = 0;
    for (const auto& [begin, end] : taken) {
      if (begin >= offset + rounded(wanted.bytes)) break;
      offset = std::max(offset, end);
    }
    return offset;
  }

  const Graph& graph_;
  const std::vector<PlannedStep>& steps_;
  const GivenLayouts& given_;
  const int end_;
  MemoryPlan plan_;
  std::vector<Placement> placements_;
  std::map<PlannedValue, int> slots_;
  std::map<std::string, std::string> viewed_;
};

}  // namespace

MemoryPlan plan_memory(const Model& model, const std::vector<PlannedStep>& steps,
                       const GivenLayouts& given) {
  return MemoryPlanner(model, steps, given).plan();
}

}  // namespace opbench
