#include <algorithm>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/schedule_draft.h"
#include "planning/planners/waves.h"

namespace opbench {
namespace {

size_t frugal_team(const TimedGraph& timed, int unit, int workers) {
  size_t frugal = 0;
  for (size_t team = 1; team < teams_within(timed, workers); ++team) {
    const double cost = timed.times.teams[team] * timed.time_ms(unit, team);
    if (cost < timed.times.teams[frugal] * timed.time_ms(unit, frugal)) frugal = team;
  }
  return frugal;
}

/// Fast kernels while the workers are enough for all of them, else frugal ones.
std::vector<size_t> teams_of(const TimedGraph& timed, const std::vector<int>& wave, int workers) {
  std::vector<size_t> fast, frugal;
  int64_t wanted = 0;
  for (const int unit : wave) {
    fast.push_back(fastest_team(timed, unit, workers));
    frugal.push_back(frugal_team(timed, unit, workers));
    wanted += timed.times.teams[fast.back()];
  }
  return wanted <= workers ? fast : frugal;
}

ExecutionPlan waves_planner_plan(const TimedGraph& timed, const PlannerOptions& options) {
  ExecutionPlan whole{.planner = "waves", .workers = options.workers, .steps = {}};
  for (const std::vector<int>& wave : waves_of(timed.graph)) {
    const TimedGraph part = subgraph_of(timed, wave);
    ScheduleDraft draft(part, options.workers);
    const std::vector<size_t> teams = teams_of(timed, wave, options.workers);
    double alone_ms = 0;
    for (size_t i = 0; i < wave.size(); ++i) {
      const int unit = static_cast<int>(i);
      draft.place(unit, draft.spot(unit, teams[i]));
      alone_ms += part.time_ms(unit, teams_within(part, options.workers) - 1);
    }
    const bool gains = wave.size() > 1 && draft.makespan_ms() < alone_ms;
    append_part(whole, gains ? draft.plan("waves") : sequential_plan(part, options.workers), wave);
  }
  set_waits(timed.graph, whole);
  return whole;
}

}  // namespace

PlannerDef waves_planner() {
  return {
      .name = "waves",
      .summary = "level by level, fast kernels or frugal ones by what workers there are (Rammer)",
      .plan = waves_planner_plan};
}

}  // namespace opbench
