#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "measuring/results/tune_result.h"
#include "tuning/trials/trial.h"
#include "tuning/trials/trial_log.h"
#include "tuning/trials/trial_machine.h"
#include "tuning/tuners/tuner.h"

namespace opbench {

struct SearchOptions {
  int64_t trials = 1000;                             ///< with those of the log
  std::optional<double> deadline_s;                  ///< of monotonic_s(): start no config after it
  std::function<void(const SearchState&)> progress;  ///< after every trial; may be empty
};

/// One task's search: asks the tuner, has configs built and measured, writes the log.
class TaskSearch {
 public:
  TaskSearch(TunableTask task, const TunerDef& tuner, uint64_t seed);
  TaskSearch(TaskSearch&&) = delete;

  const TunableTask& task() const { return task_; }
  const SearchState& state() const { return state_; }

  /// A trial of the task that the log holds. `kInvalidInput` when its config is no config of the
  /// space.
  Result<void> resume(const TuningRecord& record);

  /// Lets the tuner know what was found out about another task, before this one is searched.
  void learn_from(const TaskSearch& other);

  /// Searches until there are trials enough: the task's opening configs, then those of the tuner.
  /// Every trial is in the log before it counts. Errors as TrialMachine's and TrialLog's; what was
  /// found stays.
  Result<void> search(TrialMachine& machine, TrialLog& log, const SearchOptions& options);

  /// Measures the best config afresh, if there is one, and the default config of its workload.
  Result<void> measure_winner(TrialMachine& machine);

 private:
  Result<std::optional<double>> default_time(TrialMachine& machine, const KernelSpec& winner) const;
  Result<void> make_trials(TrialMachine& machine, TrialLog& log, const SearchOptions& options);
  std::optional<uint64_t> next_config();
  Result<void> fill(TrialMachine& machine, const SearchOptions& options);
  Result<void> note(MeasuredConfig measured, TrialLog& log);
  void tell(uint64_t index, double score);
  void count(const KnobConfig& config, int error_no, const std::vector<double>& costs_s);

  TunableTask task_;
  std::unique_ptr<Tuner> tuner_;
  SearchState state_;
  std::vector<ScoredConfig> told_;
  std::set<uint64_t> known_;  ///< opening configs, and those that the log holds
  size_t opened_ = 0;         ///< of the opening configs
  size_t under_way_ = 0;
};

}  // namespace opbench
