#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/run_request.h"
#include "planning/plans/plan_file.h"

namespace opbench {

/// What came of running a plan.
struct PlanTrial {
  /// Why the plan may not be run: its outputs are not those of its kernels one after the other, bit
  /// for bit, or it failed. Empty: it may.
  std::string refusal;
  std::optional<MeasuredSpeedup> measured;  ///< nothing: refused, or no verdict
  std::string no_verdict_reason;
  int64_t plan_bytes = 0, sequential_bytes = 0;  ///< memory of values, for the plan and without
  std::vector<std::string> warnings;
};

/// Runs a plan in two steps. First it runs on three sets of inputs, in parallel and one step after
/// the other; the outputs must be equal bit for bit. Then it takes turns with the sequential
/// executor, each in processes of its own (run_compare). The plan is judged by these new times, not
/// by those that it was made from. `run`: of the model, its budget is for the measurement.
/// `kInterrupted`, and errors of Session and run_compare.
Result<PlanTrial> try_plan(const RunRequest& run, const PlanFile& plan);

}  // namespace opbench
