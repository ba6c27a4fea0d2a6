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

const ConfigTrials::Known* ConfigTrials::known(const ConfigPoint& point) const {
  const auto trials = known_.find(workload_key(record_of(point.task->task)));
  if (trials == known_.end()) return nullptr;
  for (const Known& one : trials->second) {
    const auto index = index_of(point.task->space, one.config);
    if (index && *index == point.index) return &one;
  }
  return nullptr;
}

Result<std::optional<double>> ConfigTrials::note(const ConfigPoint& point, MeasuredPoint measured) {
  std::optional<double> seconds;
  if (measured.failure) {
    ++failed_;
    last_failure_ = to_text(*measured.failure);
  }
  if (!measured.failure) seconds = mean_cost(measured.costs_s);
  if (point.task->space.knobs.empty()) return seconds;
  OPBENCH_TRY(KnobConfig config, config_at(point.task->space, point.index));
  const Trial trial{std::move(config), std::move(measured.costs_s), std::move(measured.failure),
                    measured.spent_s, unix_time_s()};
  OPBENCH_CHECK(log_.append(record_of(*point.task, trial)));
  OPBENCH_CHECK(log_.sync());
  return seconds;
}

Result<std::vector<std::optional<double>>> ConfigTrials::measure(
    const std::vector<ConfigPoint>& points, double deadline_s,
    const std::function<void(size_t)>& told) {
  std::vector<std::optional<double>> seconds(points.size());
  const TunableTask* begun = nullptr;
  double best_s = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const ConfigPoint& point = points[i];
    if (const Known* trial = known(point)) {
      seconds[i] = trial->seconds;
      ++resumed_;
    } else if (best_s == 0 || monotonic_s() < deadline_s) {
      if (begun != point.task.get()) machine_.begin(*point.task);
      begun = point.task.get();
      machine_.start(point.index, point.spec);
      OPBENCH_TRY(MeasuredPoint measured, machine_.finish(best_s));
      OPBENCH_TRY(seconds[i], note(point, std::move(measured)));
    }
    if (seconds[i]) best_s = best_s > 0 ? std::min(best_s, *seconds[i]) : *seconds[i];
    told(i + 1);
  }
  OPBENCH_CHECK(log_.sync(true));
  return seconds;
}

}  // namespace opbench
