// The plan simulator beside the executor: how long a plan of 2 workers takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "benchmarks/together/part.h"
#include "experiments/plan/plan_session.h"
#include "experiments/plan/plan_trial.h"
#include "measuring/results/statistics.h"
#include "planning/planners/planner.h"

namespace opbench {
namespace {

constexpr int kTogetherSimulatorRounds = 3;
constexpr double kTogetherSimulatorMostError = 5;  // percent

/// The candidate that ends first, but sequential.
const PlanCandidate* fastest_plan(const PlanResult& result) {
  const PlanCandidate* fastest = nullptr;
  for (const PlanCandidate& one : result.candidates) {
    if (one.plan.planner == kSequentialPlanner) continue;
    const bool is_first = fastest == nullptr;
    if (is_first || one.timeline.makespan_ms < fastest->timeline.makespan_ms) fastest = &one;
  }
  return fastest;
}

/// Simulated over measured, less 1.
struct SimulatorErrors {
  std::vector<double> as_is;  ///< by the times of units alone
  std::vector<double>
      at_speed;  ///< by these times at the speed that sequential had beside the plan
};

std::string spread_text(const std::vector<double>& errors) {
  return fmt::format("median {:+.1f} %, {:+.1f} to {:+.1f}", median(errors) * 100,
                     std::ranges::min(errors) * 100, std::ranges::max(errors) * 100);
}

/// Times the units, plans, and runs the plan in turns with sequential.
Result<void> add_round(const std::string& model, double budget_s, SimulatorErrors& errors,
                       Report& report) {
  PlanRequest request{.workers = 2};
  request.run.model.name = model;
  request.run.model.is_zoo = true;
  request.run.measure.check_engine = "none";  // try_plan compares bits
  request.run.measure.budget_s = budget_s;
  OPBENCH_TRY(PlanResult result, run_plan(request));
  const PlanCandidate* plan = fastest_plan(result);
  if (plan == nullptr) return Error{ErrorCode::kPartial, "no plan but sequential"};
  result.file.plan = plan->plan;
  OPBENCH_TRY(const PlanTrial trial, try_plan(request.run, result.file));
  if (!trial.measured) {
    report.note(fmt::format("{}: {} was not measured: {}{}", model, plan->plan.planner,
                            trial.refusal, trial.no_verdict_reason));
    return {};
  }
  const double simulated_ms = plan->timeline.makespan_ms;
  const double sequential_ms = result.candidates.front().timeline.makespan_ms;
  const MeasuredSpeedup& measured = *trial.measured;
  const double measured_ms = measured.sequential_ms / measured.speedup;
  const double speed = measured.sequential_ms / sequential_ms;
  errors.as_is.push_back(simulated_ms / measured_ms - 1);
  errors.at_speed.push_back(simulated_ms * speed / measured_ms - 1);
  report.note(fmt::format(
      "{}: {}: simulated {:.3f} ms, measured {:.3f} ms (speed-up {:.3f} to {:.3f}): {:+.1f} %; "
      "sequential simulated {:.3f} ms, measured {:.3f} ms: at that speed {:+.1f} %",
      model, plan->plan.planner, simulated_ms, measured_ms, measured.low, measured.high,
      errors.as_is.back() * 100, sequential_ms, measured.sequential_ms,
      errors.at_speed.back() * 100));
  return {};
}

Result<void> run_together_simulator(const Arguments& arguments, Report& report) {
  const std::string model = "inception_v3";
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  SimulatorErrors errors;
  for (int round = 0; round < kTogetherSimulatorRounds; ++round) {
    Report::progress(
        fmt::format("simulator: {}, round {} of {}", model, round + 1, kTogetherSimulatorRounds));
    OPBENCH_CHECK(add_round(model, budget_s, errors, report));
  }
  if (errors.as_is.empty()) return Error{ErrorCode::kPartial, "no plan was measured"};
  report.note(fmt::format("{}: {} rounds: as is {}; at the speed of sequential {}", model,
                          errors.as_is.size(), spread_text(errors.as_is),
                          spread_text(errors.at_speed)));
  report.add(
      {fmt::format("together simulator: {} on 2 workers, percent off the executor's time", model),
       std::abs(median(errors.as_is)) * 100, kTogetherSimulatorMostError});
  report.add({fmt::format("together simulator: {} on 2 workers, percent off at the speed that "
                          "sequential had beside",
                          model),
              std::abs(median(errors.at_speed)) * 100, kTogetherSimulatorMostError});
  return {};
}

}  // namespace

TogetherPart simulator_part() {
  return {.name = "simulator",
          .summary = "the simulated time of a plan beside its measured one",
          .run = run_together_simulator};
}

}  // namespace opbench
