#include <algorithm>
#include <numeric>
#include <vector>

#include "planning/planners/piece_plans.h"
#include "planning/planners/planner.h"
#include "planning/planners/waves.h"
#include "planning/simulator/simulation.h"

namespace opbench {
namespace {

constexpr const char* kWavefrontName = "wavefront";

/// Units that do not need each other, cut in their order into a share of equal time for each
/// worker. From wave to wave neighbours stay with one worker, so it made most of what it reads.
ExecutionPlan shares_of(const TimedGraph& wave, int workers) {
  double all_ms = 0;
  for (size_t i = 0; i < wave.size(); ++i) all_ms += wave.time_ms(static_cast<int>(i), 0);
  ExecutionPlan plan{.planner = kWavefrontName, .workers = workers, .steps = {}};
  double before_ms = 0;
  for (int unit = 0; unit < std::ssize(wave.graph.units); ++unit) {
    const double middle_ms = before_ms + wave.time_ms(unit, 0) / 2;
    const int worker = std::min(static_cast<int>(middle_ms / all_ms * workers), workers - 1);
    plan.steps.push_back({.units = {unit}, .workers = {worker}, .waits = {}});
    before_ms += wave.time_ms(unit, 0);
  }
  return plan;
}

ExecutionPlan wavefront_plan(const TimedGraph& timed, const PlannerOptions& options) {
  ExecutionPlan whole{.planner = kWavefrontName, .workers = options.workers, .steps = {}};
  for (const std::vector<int>& units : waves_of(timed.graph)) {
    const TimedGraph wave = subgraph_of(timed, units);
    const ExecutionPlan shares = shares_of(wave, options.workers);
    const ExecutionPlan in_order = sequential_plan(wave, options.workers);
    const bool gains = simulated_ms(wave, shares) < simulated_ms(wave, in_order);
    append_part(whole, gains ? shares : in_order, units);
  }
  set_waits(timed.graph, whole);
  return whole;
}

}  // namespace

PlannerDef wavefront_planner() {
  return {
      .name = kWavefrontName,
      .summary = "level by level, each cut into a share for each worker: neighbours stay together",
      .plan = wavefront_plan};
}

}  // namespace opbench
