#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/timed_model.h"
#include "kernels/schedules/kernel_choice.h"
#include "planning/graphs/ceiling.h"
#include "planning/planners/selection.h"
#include "planning/plans/plan_file.h"
#include "planning/simulator/simulation.h"

namespace opbench {

/// What determines a plan.
struct PlanRequest {
  RunRequest run;
  int workers = 2;
  std::string profile_text;     ///< a report of `profile --format json`; empty: times are measured
  std::string profile_name;     ///< of that, for messages
  std::string slowdowns_text;   ///< a report of `interference --format json`; empty: none
  std::string slowdowns_name;   ///< of that, for messages
  bool predicts_times = false;  ///< by predictors; else times are given or measured
  std::filesystem::path predictors;   ///< their folder; empty: that of this machine
  std::vector<std::string> planners;  ///< by name; empty: all
  int tries = 3;                      ///< plans that confirm_choice runs at most
  /// Kernels that were chosen in this store for units side by side become those of teams of one,
  /// unless times are given; empty: none.
  std::filesystem::path sets;
};

/// What slow-downs between units leave.
struct SlowedCeiling {
  Ceiling ceiling;
  std::string source;  ///< what slow-downs are from, and of how many units
};

/// What one planner made.
struct PlanCandidate {
  ExecutionPlan plan;
  Timeline timeline;  ///< simulated
  PredictedSpeedup speedup;
  std::optional<MeasuredSpeedup> measured;  ///< nothing: it was not run, or gave no verdict
  std::string no_measurement_reason;
};

struct PlanResult {
  PlanFile file;                          ///< of the plan that was chosen
  std::vector<KernelChoice> set_kernels;  ///< of sets, which teams of one have
  Ceiling ceiling;                        ///< as if neighbours cost nothing
  std::optional<SlowedCeiling> slowed;    ///< nothing: slow-downs were not given
  std::vector<PlanCandidate> candidates;  ///< sequential first
  size_t chosen = 0;
  std::vector<size_t> promising;     ///< candidates worth a run, the fastest first
  std::optional<double> optimum_ms;  ///< by exhaustive search over all pieces
  std::string no_optimum_reason;
  std::string noise;  ///< of this machine before units were timed; empty: they were not timed
  std::vector<std::string> warnings;
};

/// Plans a model on OpBench's own kernels: units and what they need from their packages, times from
/// a profile or predictors, hand-offs from the CPUs' line time and the bytes that an edge carries.
/// Where slow-downs are given, planners read times with them, and simulations run with those of
/// each pair. Errors are those of Session and run_profile; `kInvalidInput` also for a profile of
/// another model or without a team size, a report of interference without a unit of the model, an
/// unknown planner, and where packages for different teams have different units; those of
/// predicted_times.
Result<PlanResult> run_plan(const PlanRequest& request);

/// The times that a plan is made from (TimeUnits), with the sequential plan. Errors are those of
/// run_plan.
Result<TimedModel> time_units(const RunRequest& request, int workers,
                              const std::string& profile_name, const std::string& profile_text);

/// `kInvalidInput` unless the plan is of the request's model, of the kernels that it has here and
/// now, and for the CPUs that the request would take; says which of them differs. `what` names the
/// plan. Nothing is timed.
Result<void> check_plan_fits(const PlanRequest& request, const PlanFile& plan,
                             const std::string& what);

}  // namespace opbench
