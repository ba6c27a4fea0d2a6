#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/tune_result.h"
#include "tuning/trials/task_search.h"

namespace opbench {

struct TuneRequest {
  std::vector<ModelTask> tasks;  ///< in order
  std::optional<size_t> only;    ///< this one alone
  int threads = 1;               ///< that run what is tuned
  const TunerDef* tuner = nullptr;
  uint64_t seed = 0;
  int64_t trials = 1000;           ///< for each task, with those that the log holds
  std::optional<double> budget_s;  ///< for all tasks together
  std::filesystem::path log;
  std::string log_format;  ///< as TrialLog::open takes it
  bool continues = false;  ///< goes on where the log ends
  /// The best config that is known of a task from elsewhere (a record without config and result
  /// names it), to be tried right after the default config; nothing: none. May be empty.
  std::function<std::optional<KnobConfig>(const TuningRecord& task)> known;
  /// Configs of a task that trials of other workloads promise to be fast, to be tried next. May be
  /// empty.
  std::function<std::vector<uint64_t>(const TunableTask& task)> promising;
};

/// What is told on the way; both may be empty.
struct TuneHooks {
  /// `place` of `count` tasks; nothing when the tuner goes from one to the other and back.
  std::function<void(const TunedTask& task, std::optional<size_t> place, size_t count)> progress;
  std::function<void(const TunedTask& task)> finished;
};

/// Tunes a model's tasks: one after the other, or all of them together when the tuner shares trials
/// out; then it ends as soon as more trials promise nothing. Interrupted, it returns what there is.
/// `kInvalidInput` (nothing was measured): the log holds trials and it does not continue, or lines
/// that are no trials, or those of another target or model; `kNoMatch`: no task can be tuned here.
Result<TuneResult> run_tune(const TuneRequest& request, TrialMachine& machine,
                            const TuneHooks& hooks);

}  // namespace opbench
