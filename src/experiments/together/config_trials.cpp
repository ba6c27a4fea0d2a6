#include "experiments/together/config_trials.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system/monotonic_clock.h"
#include "tuning/trials/trial.h"

namespace opbench {

Result<void> ConfigTrials::resume(bool continues) {
  return log_.read([&](const TuningRecord& record) -> Result<void> {
    if (!continues) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("log \"{}\" holds trials already", log_.path().string())}
          .with("give", "--continue to go on where it ends, or another name");
    }
    const auto* config = std::get_if<KnobConfig>(&record.config);
    if (config == nullptr) return {};
    Known known{*config, std::nullopt};
    if (record.result.error_no == 0) known.seconds = mean_cost(record.result.costs_s);
    known_[workload_key(record)].push_back(std::move(known));
    return {};
  });
}

const ConfigTrials::Known* ConfigTrials::known(const TaskConfig& candidate) const {
  const auto trials = known_.find(workload_key(record_of(candidate.task->task)));
  if (trials == known_.end()) return nullptr;
  for (const Known& one : trials->second) {
    const auto index = index_of(candidate.task->space, one.config);
    if (index && *index == candidate.index) return &one;
  }
  return nullptr;
}

Result<std::optional<double>> ConfigTrials::note(const TaskConfig& candidate,
                                                 MeasuredConfig measured) {
  std::optional<double> seconds;
  if (measured.failure) {
    ++failed_;
    last_failure_ = to_text(*measured.failure);
  }
  if (!measured.failure) seconds = mean_cost(measured.costs_s);
  if (candidate.task->space.knobs.empty()) return seconds;
  OPBENCH_TRY(KnobConfig config, config_at(candidate.task->space, candidate.index));
  const Trial trial{std::move(config), std::move(measured.costs_s), std::move(measured.failure),
                    measured.spent_s, unix_time_s()};
  OPBENCH_CHECK(log_.append(record_of(*candidate.task, trial)));
  OPBENCH_CHECK(log_.sync());
  return seconds;
}

Result<std::vector<std::optional<double>>> ConfigTrials::measure(
    const std::vector<TaskConfig>& candidates, double deadline_s,
    const std::function<void(size_t)>& told) {
  std::vector<std::optional<double>> seconds(candidates.size());
  const TunableTask* begun = nullptr;
  double best_s = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const TaskConfig& candidate = candidates[i];
    if (const Known* trial = known(candidate)) {
      seconds[i] = trial->seconds;
      ++resumed_;
    } else if (best_s == 0 || monotonic_s() < deadline_s) {
      if (begun != candidate.task.get()) machine_.begin(*candidate.task);
      begun = candidate.task.get();
      machine_.start(candidate.index, candidate.spec);
      OPBENCH_TRY(MeasuredConfig measured, machine_.finish(best_s));
      OPBENCH_TRY(seconds[i], note(candidate, std::move(measured)));
    }
    if (seconds[i]) best_s = best_s > 0 ? std::min(best_s, *seconds[i]) : *seconds[i];
    told(i + 1);
  }
  OPBENCH_CHECK(log_.sync(true));
  return seconds;
}

}  // namespace opbench
