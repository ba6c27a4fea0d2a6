// Plans of the planner `threads`, run in turns with the best static setting: the whole model on
// one number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/together/part.h"
#include "engines/catalog/engine_choice.h"
#include "engines/runtime/executor.h"
#include "experiments/compare/compare_request.h"
#include "experiments/plan/plan_session.h"
#include "planning/planners/piece_plans.h"
#include "planning/planners/thread_probes.h"

namespace opbench {
namespace {

constexpr int kTogetherThreadNetsWorkers = 2;
constexpr double kTogetherThreadNetsMostProbes = 8;
constexpr const char* kPlanner = "threads";

struct TogetherThreadNetsTally {
  int slower = 0, no_verdict = 0;
  size_t most_probes = 0;
};

/// The whole model on one number of threads.
struct StaticSetting {
  int threads = 1;
  double sum_ms = 0;  ///< of the units' times
};

std::vector<StaticSetting> static_settings(const TimedGraph& timed) {
  std::vector<StaticSetting> settings;
  for (size_t team = 0; team < teams_within(timed, kTogetherThreadNetsWorkers); ++team) {
    StaticSetting setting{.threads = timed.times.teams[team]};
    for (const UnitTimes& unit : timed.times.units) setting.sum_ms += unit.times_ms[team];
    settings.push_back(setting);
  }
  return settings;
}

/// The most times that the planner looks up for any unit; for a kind it looks at one of its units.
size_t most_probes(const TimedGraph& timed) {
  const auto sizes = static_cast<int>(teams_within(timed, kTogetherThreadNetsWorkers));
  size_t most = 0;
  for (const UnitTimes& unit : timed.times.units) {
    const auto time = [&](int size) { return unit.times_ms[static_cast<size_t>(size - 1)]; };
    const ThreadChoice choice = probe_threads(time, sizes, PlannerOptions{}.most_probes);
    most = std::max(most, choice.probes.size());
  }
  return most;
}

size_t units_on_other_teams(const ExecutionPlan& plan) {
  size_t units = 0;
  for (const PlanStep& step : plan.steps) {
    if (step.workers.size() != static_cast<size_t>(plan.workers)) units += step.units.size();
  }
  return units;
}

/// Runs the plan in turns with the static setting, in processes of their own.
Result<CompareResult> compare_with(const StaticSetting& setting, RunRequest run,
                                   const PlanFile& plan) {
  run.measure.measures_units = false;
  ProfileRequest fixed = profile_of(run, {package_engine().name}, {setting.threads});
  ProfileRequest planned = profile_of(run, {package_engine().name}, {plan.plan.workers});
  fixed.settings.executor = kDefaultExecutor;
  planned.settings.executor = planned_executor();
  planned.settings.plan = {
      .file = "the plan", .sha256 = {}, .value = std::make_shared<const PlanFile>(plan)};
  CompareRequest comparison;
  comparison.sides = {variant_of(fixed), variant_of(planned)};
  comparison.scope.has_units = false;
  comparison.budget_s = run.measure.budget_s;
  return run_compare(comparison);
}

void report_verdict(const CompareResult& result, TogetherThreadNetsTally& tally, Report& report) {
  for (const std::string& warning : result.warnings) report.note("  warning: " + warning);
  const CompareUnit& model = result.comparisons.front().model;
  if (!model.verdict || !model.ratio || !model.base) {
    ++tally.no_verdict;
    report.note("  no verdict: " + model.reason);
    return;
  }
  tally.slower += *model.verdict == Verdict::kSlower ? 1 : 0;
  report.note(fmt::format("  speed-up {:.3f} × [{:.3f}, {:.3f}] over {:.3f} ms: {}",
                          1 / model.ratio->median, 1 / model.ratio->high, 1 / model.ratio->low,
                          model.base->median_ms, name_of(*model.verdict)));
}

Result<void> measure_together_thread_nets(const std::string& net, double budget_s,
                                          TogetherThreadNetsTally& tally, Report& report) {
  PlanRequest request{.workers = kTogetherThreadNetsWorkers};
  request.run.model.name = net;
  request.run.model.is_zoo = true;
  request.run.measure.budget_s = budget_s;
  request.planners = {kPlanner};
  OPBENCH_TRY(PlanResult result, run_plan(request));
  const TimedGraph& timed = result.file.timed;
  // The candidate, not the choice: sequential is chosen unless a plan is predicted to gain 3 %.
  const auto is_ours = [](const PlanCandidate& one) { return one.plan.planner == kPlanner; };
  const auto candidate = std::ranges::find_if(result.candidates, is_ours);
  if (candidate == result.candidates.end()) {
    return Error{ErrorCode::kPartial, fmt::format("no plan of {}", kPlanner)};
  }
  const std::vector<StaticSetting> settings = static_settings(timed);
  const StaticSetting best = *std::ranges::min_element(settings, {}, &StaticSetting::sum_ms);
  std::string sums;
  for (const StaticSetting& one : settings) {
    sums += fmt::format("{:.3f} ms on {}, ", one.sum_ms, one.threads);
  }
  const size_t probes = most_probes(timed);
  tally.most_probes = std::max(tally.most_probes, probes);
  report.note(fmt::format(
      "{}: {}so the best static setting is {} thread{}; {} predicts {:.3f} ms, {} of {} units on a "
      "team other than all {} workers, at most {} probes for a kind",
      net, sums, best.threads, best.threads == 1 ? "" : "s", kPlanner,
      candidate->timeline.makespan_ms, units_on_other_teams(candidate->plan), timed.size(),
      kTogetherThreadNetsWorkers, probes));
  for (const std::string& warning : result.warnings) report.note("  warning: " + warning);
  if (candidate->plan.steps == sequential_plan(timed, best.threads).steps) {
    report.note("  equal: step for step the plan of the best static setting, not run");
    return {};
  }
  result.file.plan = candidate->plan;
  result.file.predicted_ms = candidate->timeline.makespan_ms;
  result.file.reason = "to be run, faster or not";
  OPBENCH_TRY(const CompareResult compared, compare_with(best, request.run, result.file));
  report_verdict(compared, tally, report);
  return {};
}

Result<void> run_together_thread_nets(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  TogetherThreadNetsTally tally;
  for (const std::string& net : arguments.values("--nets")) {
    Report::progress("thread-nets: " + net);
    const auto measured = measure_together_thread_nets(net, budget_s, tally, report);
    // A net that cannot be planned here does not end the run of the others.
    if (measured) continue;
    ++tally.no_verdict;
    report.note(fmt::format("{}: left out: {}", net, to_text(measured.error())));
  }
  report.add(
      {"together thread-nets: nets that the planner's teams made slower than the best "
       "static setting",
       static_cast<double>(tally.slower), 0});
  report.add(
      {"together thread-nets: nets without a verdict", static_cast<double>(tally.no_verdict), 0});
  report.add({"together thread-nets: probes for a kind of unit, most",
              static_cast<double>(tally.most_probes), kTogetherThreadNetsMostProbes});
  return {};
}

}  // namespace

TogetherPart thread_nets_part() {
  return {.name = "thread-nets",
          .summary = "plans of the planner threads beside the best static setting, run",
          .run = run_together_thread_nets};
}

}  // namespace opbench
