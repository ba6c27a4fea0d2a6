#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/plan/plan_session.h"
#include "experiments/plan/plan_trial.h"

namespace opbench {

/// Runs the most promising plans (try_plan), `request.tries` at most, and keeps the fastest of
/// those whose verdict is `faster`. The best of several measurements is partly luck, so that plan
/// is run once more, and the second verdict counts. Without a faster plan sequential becomes the
/// choice, with the reason, as it does where the request is cancelled meanwhile. Nothing is run
/// where sequential was chosen already.
Result<void> confirm_choice(const PlanRequest& request, PlanResult& result);

/// The same with `run` in place of try_plan: it runs that candidate and notes what came of it in
/// the result.
Result<void> confirm_choice(int most_tries, const std::function<Result<void>(size_t at)>& run,
                            const std::function<bool()>& is_cancelled, PlanResult& result);

/// A plan that lies in the cache.
struct KeptPlan {
  std::filesystem::path file;
  std::string sha256;  ///< of its text
  PlanFile plan;
  std::vector<std::string> warnings;
};

/// The plan for a request that names none and whose executor follows plans. A plan that was kept
/// for the same model, extents, kernels, sets, CPUs and threads is taken. Else a new one is made
/// (run_plan, confirm_choice) and kept, unless the request is cancelled (`kInterrupted`). `sets` is
/// that of a PlanRequest. Where units run as streams (has_streams), it is the plan of the planner
/// `stream` without sets, faster or not. `kInvalidInput` for a request of several thread counts;
/// else the errors of these functions.
Result<KeptPlan> kept_plan(const ProfileRequest& request, const std::filesystem::path& sets);

}  // namespace opbench
