#include "experiments/place/place_runs.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/system/seconds.h"
#include "engines/runtime/program.h"
#include "experiments/devices/device_turns.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

bool uses_both(const Placement& placement) {
  return std::ranges::adjacent_find(placement, std::not_equal_to<>()) != placement.end();
}

/// `at-least` if it was asked for, and the shortest.
std::vector<const PlaceCandidate*> candidates_to_run(const PlaceStudy& study) {
  std::vector<const PlaceCandidate*> wanted;
  for (const PlaceCandidate& one : study.candidates) {
    if (one.method == kAtLeast) wanted.push_back(&one);
  }
  const auto shortest = std::ranges::min_element(
      study.candidates, {}, [](const PlaceCandidate& one) { return one.point.makespan_ms; });
  const bool is_new =
      wanted.empty() || wanted.front()->point.placement != shortest->point.placement;
  if (is_new) wanted.push_back(&*shortest);
  return wanted;
}

class PlacementRun {
 public:
  PlacementRun(const RunRequest& request, const PlaceRunners& runners, const PlaceGraph& graph,
               PlacedModel model)
      : request_(request), runners_(runners), graph_(graph), model_(std::move(model)) {}

  Result<PlacedRow> run(Placement placement, std::vector<std::string>& warnings) {
    OPBENCH_TRY(const std::vector<std::string> found, check_placed(model_));
    for (const std::string& warning : found) {
      if (std::ranges::count(warnings, warning) == 0) warnings.push_back(warning);
    }
    OPBENCH_TRY(const DeviceTurnTimes times, time_beside());
    if (!times.disturbance.empty()) {
      warnings.push_back("a placement was run and " + times.disturbance +
                         ": its time says little of the prediction");
    }
    OPBENCH_TRY(DevicePlan plan,
                device_plan(runners_, graph_, placement, model_, plan_times(times)));
    for (const TimeWithError& step : times.steps.front()) plan.step_ms.push_back(step.ms);
    return PlacedRow{.method = "",
                     .placement = std::move(placement),
                     .predicted_ms = plan.file.predicted_ms,
                     .measured_ms = times.end_to_end_ms.front(),
                     .transfers = copies_of(model_.program, times.steps.front()),
                     .check = model_.engine_run().found.result.check,
                     .plan = std::move(plan)};
  }

 private:
  /// The placement, then each device alone, then the alternating model.
  Result<DeviceTurnTimes> time_beside() {
    DeviceTurns turns;
    std::vector<EngineSetup> setups;
    const auto add = [&](const EngineRun& engine_run, const std::string& name) {
      turns.engine_runs.engine_runs.push_back(&engine_run);
      turns.engine_runs.engines.push_back(static_cast<int>(setups.size()));
      turns.names.push_back(name);
      turns.neighbours.push_back(nullptr);
      setups.push_back(engine_run.built.setup);
    };
    add(model_.engine_run(), "two devices");
    for (PreparedDevice* const device : runners_.alone) {
      add(device->engine_run(), device->choice.name);
    }
    add(runners_.alternating->engine_run(), "two devices in turns");
    const Preflight preflight = run_preflight(Seconds(request_.measure.budget_s));
    EngineRunner runner(std::move(setups));
    SteadyClock clock;
    RoundOptions options;
    options.budget = Seconds(request_.measure.budget_s);
    options.rounds = 4;
    options.runs = request_.measure.runs;
    options.warm_up = request_.measure.warm_up;
    options.seed = request_.model.seed;
    options.clock_step_ms = to_ms(preflight.clock_resolution);
    options.noise_percent = preflight.cv_percent;
    options.cancel = request_.hooks.cancel;
    options.progress = [&](size_t engine_run, int done, int total) {
      model_.session->report("profile", turns.names[engine_run], graph_.model, done, total);
    };
    return time_in_turns(turns, runner, clock, options);
  }

  DevicePlanTimes plan_times(const DeviceTurnTimes& times) const {
    DevicePlanTimes found;
    found.units_ms.resize(graph_.size());
    for (size_t d = 0; d < runners_.alone.size(); ++d) {
      PreparedDevice& device = *runners_.alone[d];
      std::vector<TimeWithError> steps = times.steps[d + 1];
      const std::vector<PreparedUnit>& units = device.engine_run().built.units;
      for (size_t i = 0; i < steps.size(); ++i) {
        if (units[i].identity.is_copy()) steps[i] = {};
      }
      const std::vector<TimeWithError> own = times_among(runners_.units, units_of(device, steps));
      for (size_t unit = 0; unit < own.size(); ++unit) {
        found.units_ms[unit].push_back(own[unit].ms);
      }
    }
    found.costs = step_costs_of(runners_.alternating->program, runners_.alternating->facts,
                                times.steps.back());
    return found;
  }

  const RunRequest& request_;
  const PlaceRunners& runners_;
  const PlaceGraph& graph_;
  PlacedModel model_;
};

}  // namespace

Result<std::vector<PlacedRow>> run_placements(const RunRequest& request,
                                              const PlaceRunners& runners, const PlaceGraph& graph,
                                              const PlaceStudy& study,
                                              std::vector<std::string>& warnings) {
  OPBENCH_TRY(const Target host, parse_target(runners.devices[runners.pair.host].target));
  const std::vector<int> order = rank_order(study.problem);
  std::vector<PlacedRow> rows;
  for (const PlaceCandidate* const one : candidates_to_run(study)) {
    Placement placement = one->point.placement;
    for (size_t i = 0; i < runners.fixed.size(); ++i) {
      if (runners.fixed[i] >= 0) placement[i] = runners.fixed[i];
    }
    if (!uses_both(placement)) continue;
    OPBENCH_TRY(PlacedModel model,
                prepare_placed(request, runners.devices, runners.pair,
                               sides_of(graph, host, runners.pair, placement, order)));
    OPBENCH_TRY(PlacedRow row, PlacementRun(request, runners, graph, std::move(model))
                                   .run(std::move(placement), warnings));
    row.method = one->method;
    row.plan->file.plan.planner = one->method;
    row.plan->file.reason =
        one->method == kAtLeast ? "told to have these shares" : "the shortest that was found";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace opbench
