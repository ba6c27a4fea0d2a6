#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tuning/trials/trial_log.h"
#include "tuning/trials/trial_machine.h"
#include "tuning/trials/trial_replay_plan.h"

namespace opbench {

struct ReplayedTrials {
  std::vector<ReplayTrial> trials;         ///< in the order of the file
  bool is_interrupted = false;             ///< then some have neither a result nor a reason
  std::vector<std::string> warnings = {};  ///< TrialMachine::warnings
};

/// Called after every trial: how many are made, of how many, and the last.
using ReplayProgress = std::function<void(size_t done, size_t total, const ReplayTrial& last)>;

/// The trials that a log of an earlier replay holds get their results from there. Returns how many.
/// Errors as TrialLog::read.
Result<size_t> take_replayed(TrialLog& log, std::vector<ReplayTrial>& trials);

/// Builds and measures what has a task and no result yet, task by task. A trial is in the log
/// before it counts. Errors as TrialMachine's and TrialLog's, but for interruption.
Result<ReplayedTrials> replay_trials(std::vector<ReplayTrial> trials, TrialMachine& machine,
                                     TrialLog& log, const ReplayProgress& progress);

}  // namespace opbench
