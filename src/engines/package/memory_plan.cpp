#include "engines/package/memory_plan.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "engines/package/arena_offsets.h"
#include "engines/package/live_set.h"
#include "engines/runtime/step_dependencies.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

// Where a slot's bytes are: in a root slot of its own, or inside another slot.
struct Place {
  int parent = -1;
  int64_t offset = 0;          ///< bytes inside the parent
  bool is_input = false;       ///< of the graph: it is there before the first step
  bool is_kept = false;        ///< after the last step
  std::vector<int> makers;     ///< steps of the program that write it
  std::vector<int> consumers;  ///< steps of the program that read it

  int first_made() const { return makers.empty() ? 0 : *std::ranges::min_element(makers); }
};

StepWaits joined(StepWaits waits, const StepWaits& further) {
  for (size_t i = 0; i < waits.size(); ++i)
    std::ranges::copy(further[i], std::back_inserter(waits[i]));
  return waits;
}

class MemoryPlanner {
 public:
  MemoryPlanner(const Model& model, const std::vector<PlannedStep>& steps,
                const GivenLayouts& given, const MemoryBoundaries& boundaries)
      : graph_(model.graph), steps_(steps), given_(given), boundaries_(boundaries) {
    plan_.program.model = model.name;
  }

  MemoryPlan plan(const StepWaits& waits) {
    find_views();
    for (const Value& input : graph_.inputs) {
      const int index = make_slot({input.name, block_of(given_, input.name)});
      place(index).is_input = true;
      plan_.program.inputs.push_back(index);
    }
    for (size_t i = 0; i < steps_.size(); ++i) add_step(i);
    for (const Value& output : graph_.outputs) {
      const int index = slot_of({output.name, block_of(given_, output.name)});
      place(index).is_kept = true;
      plan_.program.outputs.push_back(index);
    }
    for (int i = 0; i < std::ssize(places_); ++i) members_[root_of(i)].push_back(i);
    place_apart();
    const StepWaits needs = find_dependencies(plan_.program).needs;
    const StepOrder order =
        waits.empty() ? StepOrder::sequential(needs.size()) : StepOrder::of(joined(waits, needs));
    plan_.program.arena_bytes = place_roots(order, MemoryScope::kHost);
    plan_.program.device_arena_bytes = place_roots(order, MemoryScope::kDevice);
    place_inside_roots();
    const StepDependencies found = find_dependencies(plan_.program);
    for (size_t i = 0; i < needs.size(); ++i) {
      plan_.program.steps[i].needs = found.needs[i];
      plan_.program.steps[i].reuses = found.reuses[i];
    }
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
  Place& place(int index) { return places_[static_cast<size_t>(index)]; }

  int make_slot(const PlannedValue& value) {
    Slot made;
    made.name = value.name;
    made.type = graph_.types.at(value.name);
    made.layout = {value.block};
    made.scope = value.scope;
    made.physical = physical_shape(made.type.shape, made.layout);
    made.bytes = element_count(made.physical) * static_cast<int64_t>(size_of(made.type.data_type));
    plan_.program.slots.push_back(std::move(made));
    places_.emplace_back();
    const int index = static_cast<int>(places_.size()) - 1;
    slots_[value] = index;
    return index;
  }

  // A graph output may be a constant that nothing computes: it gets a step's place of its own kind.
  int slot_of(const PlannedValue& value) {
    const auto known = slots_.find(value);
    if (known != slots_.end()) return known->second;
    const std::string& root = viewed_root(value.name);
    const auto view = viewed_.find(value.name);
    if (view != viewed_.end() && value.block == 0 && !graph_.constants.contains(root)) {
      const int source = slot_of({view->second, 0, value.scope});
      const int index = make_slot(value);
      place(index).parent = source;
      return index;
    }
    const int index = make_slot(value);
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
    if (is_free_layout_change(planned)) {
      const int source = slot_of(planned.operand(0));
      place(make_slot(planned.output())).parent = source;
      return;
    }
    Step program_step;
    for (size_t i = 0; i < planned.values.operands.size(); ++i) {
      if (graph_.constants.contains(planned.values.operands[i])) {
        program_step.arguments.push_back(weight_slot(index, i));
      } else {
        program_step.arguments.push_back(slot_of(planned.operand(i)));
      }
    }
    program_step.results = {make_slot(planned.output())};
    for (const std::string& name : planned.values.further_outputs) {
      program_step.results.push_back(make_slot({name, 0, planned.runs_on()}));
    }
    program_step.runs_on = planned.runs_on();
    program_step.copy = planned.copy;
    if (place_parts(planned, program_step)) return;
    program_step.unit = static_cast<int>(plan_.program.steps.size());
    program_step.workload = text_of(planned.workload());
    for (const int result : program_step.results) {
      place(result).makers.push_back(program_step.unit);
    }
    for (const int argument : program_step.arguments) {
      place(argument).consumers.push_back(program_step.unit);
    }
    plan_.program.steps.push_back(std::move(program_step));
    plan_.planned.push_back(index);
  }

  int weight_slot(size_t step, size_t operand) {
    const std::string& name = steps_[step].values.operands[operand];
    const int index = make_slot({name, -1 - static_cast<int>(step), steps_[step].runs_on()});
    slot(index).layout = {};
    slot(index).physical = slot(index).type.shape;
    slot(index).storage = Storage::kWeights;
    plan_.weights.push_back({index, step, operand, name});
    return index;
  }

  bool is_free_layout_change(const PlannedStep& step) const {
    const auto& nodes = step.workload().graph.nodes;
    if (!step.identity.is_layout_change() || nodes.size() != 1 || nodes.front().type != "Identity")
      return false;
    const Shape& shape = graph_.types.at(step.values.output).shape;
    const int block = std::max(step.output().block, step.operand(0).block);
    const bool is_one_pixel = shape.size() == 4 && shape[2] == 1 && shape[3] == 1;
    const bool has_whole_blocks = shape.size() == 4 && shape[1] % block == 0;
    // Towards dense, lanes past the last channel may be cut off; towards blocks they would have to
    // be made.
    const bool may_cut = step.output().block == 0 && shape[0] == 1;
    return is_one_pixel && (has_whole_blocks || may_cut);
  }

  // The parts of a concatenation become pieces of its result when they lie there one after the
  // other, each on a boundary as kernels need it, each is made by a step, and none is a piece of
  // something else already.
  bool place_parts(const PlannedStep& step, const Step& program_step) {
    const auto& nodes = step.workload().graph.nodes;
    if (nodes.size() != 1 || nodes.front().type != "Concat") return false;
    const int whole = program_step.results.front();
    const Slot& result = slot(whole);
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
      if (!may_be_piece(part, result) || !seen.insert(part).second) return false;
      if (offset % boundaries_.in(result.scope) != 0) return false;
      offset += slot(part).bytes;
    }
    offset = 0;
    for (const int part : program_step.arguments) {
      place(part).parent = whole;
      place(part).offset = offset;
      offset += slot(part).bytes;
    }
    return true;
  }

  bool may_be_piece(int index, const Slot& whole) {
    const Slot& part = slot(index);
    const int block = whole.layout.block;
    const Place& where = place(index);
    const bool is_made = part.storage == Storage::kArena && !where.is_input && where.parent < 0;
    const bool is_whole = block == 0 || part.type.shape[1] % block == 0;
    return is_made && is_whole && part.layout.block == block && part.scope == whole.scope &&
           !is_output(graph_, part.name);
  }

  // The graph's inputs and what steps make; other slots are views and concatenations of these.
  std::vector<LiveValue> live_values(MemoryScope scope) {
    const auto steps = static_cast<int>(plan_.planned.size());
    std::vector<LiveValue> values;
    for (int i = 0; i < std::ssize(places_); ++i) {
      if (slot(i).scope != scope) continue;
      if (place(i).is_input) values.push_back({slot(i).bytes, -1, steps});
      if (place(i).is_input || place(i).makers.empty()) continue;
      const int last = last_use(i, members_[root_of(i)], steps);
      values.push_back({slot(i).bytes, place(i).makers.front(), last});
    }
    return values;
  }

  bool share_bytes(int a, int b) {
    const int64_t of_a = offset_in_root(a);
    const int64_t of_b = offset_in_root(b);
    return of_a < of_b + slot(b).bytes && of_b < of_a + slot(a).bytes;
  }

  // The last step that uses the bytes of a value, under its own name or that of another member of
  // its root; `steps` when they are kept.
  int last_use(int value, const std::vector<int>& members, int steps) {
    int last = place(value).makers.front();
    for (const int member : members) {
      if (!share_bytes(value, member)) continue;
      if (place(member).is_kept) return steps;
      for (const int consumer : place(member).consumers) last = std::max(last, consumer);
    }
    return last;
  }

  int64_t offset_in_root(int index) {
    int64_t offset = 0;
    for (; place(index).parent >= 0; index = place(index).parent) offset += place(index).offset;
    return offset;
  }

  int root_of(int index) {
    while (place(index).parent >= 0) index = place(index).parent;
    return index;
  }

  std::vector<int> roots(MemoryScope scope) {
    std::vector<int> found;
    for (size_t i = 0; i < places_.size(); ++i) {
      const int index = static_cast<int>(i);
      if (slot(index).storage != Storage::kArena || place(index).parent >= 0) continue;
      if (slot(index).scope != scope) continue;
      found.push_back(index);
    }
    return found;
  }

  // No two roots share memory. So steps wait for each other's results alone.
  void place_apart() {
    for (const MemoryScope scope : {MemoryScope::kHost, MemoryScope::kDevice}) {
      int64_t offset = 0;
      for (const int root : roots(scope)) {
        slot(root).offset = offset;
        offset += boundaries_.rounded(slot(root).bytes, scope);
      }
      if (scope == MemoryScope::kDevice) plan_.program.device_arena_bytes = offset;
    }
    place_inside_roots();
  }

  // Returns the bytes of the memory that they take.
  int64_t place_roots(const StepOrder& order, MemoryScope scope) {
    const std::vector<int> found = roots(scope);
    const int64_t live =
        largest_live_set(live_values(scope), static_cast<int>(plan_.planned.size()));
    plan_.live_bytes += live;
    std::vector<ArenaPiece> pieces;
    std::vector<Place> uses;
    for (size_t block = 0; block < found.size(); ++block) {
      for (auto& [piece, use] : pieces_of(found[block])) {
        piece.block = block;
        pieces.push_back(std::move(piece));
        uses.push_back(std::move(use));
      }
    }
    for (size_t i = 0; i < pieces.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (pieces[i].block == pieces[j].block || is_over_before(uses[j], uses[i], order) ||
            is_over_before(uses[i], uses[j], order)) {
          continue;
        }
        pieces[i].conflicts.push_back(j);
        pieces[j].conflicts.push_back(i);
      }
    }
    const ArenaOffsets placed = arena_offsets(pieces, live);
    for (size_t i = 0; i < found.size(); ++i) slot(found[i]).offset = placed.offsets[i];
    return placed.bytes;
  }

  // A root's bytes, cut where its members begin and end, each piece with all that uses it.
  std::vector<std::pair<ArenaPiece, Place>> pieces_of(int root) {
    std::set<int64_t> cuts;
    for (const int member : members_[root]) {
      cuts.insert(offset_in_root(member));
      cuts.insert(
          boundaries_.rounded(offset_in_root(member) + slot(member).bytes, slot(root).scope));
    }
    std::vector<std::pair<ArenaPiece, Place>> pieces;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
      const int64_t end = *std::next(cut);
      Place use;
      for (const int member : members_[root]) {
        const int64_t begin = offset_in_root(member);
        const int64_t last = boundaries_.rounded(begin + slot(member).bytes, slot(root).scope);
        if (begin < end && *cut < last) add_use(place(member), use);
      }
      pieces.push_back({ArenaPiece{.offset = *cut, .bytes = end - *cut}, std::move(use)});
    }
    // A value without elements has no bytes, but gets a place.
    if (pieces.empty()) pieces.emplace_back(ArenaPiece{}, place(root));
    return pieces;
  }

  static void add_use(const Place& from, Place& to) {
    to.is_input = to.is_input || from.is_input;
    to.is_kept = to.is_kept || from.is_kept;
    std::ranges::copy(from.makers, std::back_inserter(to.makers));
    std::ranges::copy(from.consumers, std::back_inserter(to.consumers));
  }

  void place_inside_roots() {
    for (size_t i = 0; i < places_.size(); ++i) {
      const int index = static_cast<int>(i);
      const int root = root_of(index);
      if (root != index) slot(index).offset = slot(root).offset + offset_in_root(index);
    }
  }

  // Whether all steps that touch a value have ended when the first step that makes the other
  // starts.
  static bool is_over_before(const Place& first, const Place& second, const StepOrder& order) {
    if (first.is_input || first.is_kept || second.is_input) return false;
    // A step does not end before one of a smaller number starts.
    if (second.first_made() <= first.first_made()) return false;
    const auto has_ended = [&](int step) {
      return std::ranges::all_of(second.makers,
                                 [&](int maker) { return order.ends_before(step, maker); });
    };
    return std::ranges::all_of(first.makers, has_ended) &&
           std::ranges::all_of(first.consumers, has_ended);
  }

  const Graph& graph_;
  const std::vector<PlannedStep>& steps_;
  const GivenLayouts& given_;
  const MemoryBoundaries& boundaries_;
  MemoryPlan plan_;
  std::vector<Place> places_;
  std::map<PlannedValue, int> slots_;
  std::map<std::string, std::string> viewed_;
  std::map<int, std::vector<int>> members_;  ///< slots by the root that they lie in
};

}  // namespace

MemoryPlan plan_memory(const Model& model, const std::vector<PlannedStep>& steps,
                       const GivenLayouts& given, const StepWaits& waits,
                       const MemoryBoundaries& boundaries) {
  return MemoryPlanner(model, steps, given, boundaries).plan(waits);
}

}  // namespace opbench
