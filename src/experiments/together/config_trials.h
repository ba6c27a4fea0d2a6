#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/together/task_configs.h"
#include "tuning/trials/trial_log.h"
#include "tuning/trials/trial_machine.h"

namespace opbench {

/// Times of configs on a machine, from the log where it has them, else measured and logged at once.
/// Trials of other tasks in the log are left alone. A config without knobs is no trial of a space
/// and stands in no log.
class ConfigTrials {
 public:
  ConfigTrials(TrialMachine& machine, TrialLog log) : machine_(machine), log_(std::move(log)) {}

  /// Reads the trials that the log holds. `kInvalidInput` where there are some and it does not
  /// continue, and as TrialLog::read.
  Result<void> resume(bool continues);

  /// Seconds a call of each; nothing for a config that failed, or was not reached: once one works,
  /// none is begun after `deadline_s` (monotonic_s()). `told` hears of each that is done. Errors as
  /// TrialMachine's and TrialLog's; `kInterrupted` when cancelled.
  Result<std::vector<std::optional<double>>> measure(const std::vector<TaskConfig>& candidates,
                                                     double deadline_s,
                                                     const std::function<void(size_t)>& told);

  size_t resumed() const { return resumed_; }  ///< times that came from the log
  size_t failed() const { return failed_; }
  const std::string& last_failure() const { return last_failure_; }

 private:
  struct Known {
    KnobConfig config;
    std::optional<double> seconds;  ///< nothing: it failed
  };
  const Known* known(const TaskConfig& candidate) const;
  Result<std::optional<double>> note(const TaskConfig& candidate, MeasuredConfig measured);

  TrialMachine& machine_;
  TrialLog log_;
  std::map<std::string, std::vector<Known>> known_;  ///< by workload_key
  size_t resumed_ = 0, failed_ = 0;
  std::string last_failure_;  ///< of a trial that was made now
};

}  // namespace opbench
