#include <algorithm>
#include <tuple>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/schedule_draft.h"
#include "planning/planners/search_state.h"

namespace opbench {
namespace {

/// States kept times units squared, which the time of a search grows with: some seconds. Larger
/// pieces get a narrower beam.
constexpr size_t kMostWork = 50000000;

/// A state, and the steps that led there.
struct BeamNode {
  PlanSearchState state;
  std::vector<SearchStep> steps;
};

struct Child {
  double bound = 0;  ///< no schedule that goes on ends before
  double waste = 0;
  size_t parent = 0;
  SearchStep step;

  /// Of equal bounds the one that has wasted least, then by numbers: equal inputs, equal plans.
  auto rank() const { return std::tuple(bound, waste, parent, step.unit, step.team); }
};

/// Whether `a` has the same units placed and is nowhere later: what can be made of `b` can be made
/// of it. What ended before the last start counts as ended then, as no later step starts before.
bool is_no_later(const PlanSearchState& a, const PlanSearchState& b) {
  if (a.start_ms > b.start_ms || a.ready != b.ready) return false;
  for (size_t i = 0; i < a.free_ms.size(); ++i) {
    if (a.free_ms[i] > std::max(b.free_ms[i], b.start_ms)) return false;
  }
  for (size_t i = 0; i < a.end_ms.size(); ++i) {
    if ((a.open_needs[i] < 0) != (b.open_needs[i] < 0)) return false;
    if (a.open_needs[i] < 0 && a.end_ms[i] > std::max(b.end_ms[i], b.start_ms)) return false;
  }
  return true;
}

std::vector<Child> children_of(const SearchGraph& search, const std::vector<BeamNode>& beam) {
  std::vector<Child> children;
  for (size_t i = 0; i < beam.size(); ++i) {
    const PlanSearchState& state = beam[i].state;
    for (const int unit : state.ready) {
      for (size_t team = 0; team < search.sizes; ++team) {
        const SearchStep step = next_step(search, state, unit, team);
        children.push_back(
            {bound_after(search, state, step), waste_of(search, state, step), i, step});
      }
    }
  }
  std::ranges::sort(children, {}, &Child::rank);
  return children;
}

std::vector<BeamNode> next_beam(const SearchGraph& search, const std::vector<BeamNode>& beam,
                                size_t width) {
  std::vector<BeamNode> next;
  for (const Child& child : children_of(search, beam)) {
    if (next.size() == width) break;
    BeamNode node = beam[child.parent];
    apply(search, child.step, node.state);
    const bool is_known = std::ranges::any_of(
        next, [&](const BeamNode& other) { return is_no_later(other.state, node.state); });
    if (is_known) continue;
    node.steps.push_back(child.step);
    next.push_back(std::move(node));
  }
  return next;
}

ExecutionPlan beam_plan_piece(const TimedGraph& piece, const PlannerOptions& options) {
  const SearchGraph search(piece, options.workers);
  const size_t most = std::max<size_t>(1, kMostWork / (piece.size() * piece.size()));
  const size_t width = std::min(most, static_cast<size_t>(options.beam_width));
  std::vector<BeamNode> beam = {{first_state(search), {}}};
  for (size_t placed = 0; placed < piece.size(); ++placed) {
    beam = next_beam(search, beam, width);
  }
  const auto best = std::ranges::min_element(
      beam, {}, [](const BeamNode& node) { return node.state.free_ms.back(); });
  ScheduleDraft draft(piece, options.workers);
  for (const SearchStep& step : best->steps)
    draft.place(step.unit, draft.spot(step.unit, step.team));
  return draft.plan("beam");
}

ExecutionPlan beam_plan(const TimedGraph& timed, const PlannerOptions& options) {
  return plan_by_pieces(timed, options, "beam", true,
                        [&](const TimedGraph& piece) { return beam_plan_piece(piece, options); });
}

}  // namespace

PlannerDef beam_planner() {
  return {.name = "beam",
          .summary = "a beam search over units and the sizes of their teams",
          .plan = beam_plan};
}

}  // namespace opbench
