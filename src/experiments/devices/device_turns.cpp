#include "experiments/devices/device_turns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

/// The first device stands for the control, too.
size_t device_of_run(const DeviceTurns& turns, size_t engine_run) {
  return engine_run < turns.names.size() ? engine_run : 0;
}

Result<void> check_turns(const DeviceTurns& turns, const std::vector<RunInPlace>& engine_runs) {
  for (size_t i = 0; i < engine_runs.size(); ++i) {
    if (!engine_runs[i].failure) continue;
    return Error{ErrorCode::kPartial,
                 fmt::format("the model was not timed on {}", turns.names[device_of_run(turns, i)])}
        .with("reason", to_text(*engine_runs[i].failure));
  }
  return {};
}

std::vector<TimeWithError> steps_of_run(const InPlace& times) {
  std::vector<TimeWithError> steps;
  for (size_t i = 0; i < times.units_ms.size(); ++i) {
    steps.push_back({times.units_ms[i], times.units_error_ms[i]});
  }
  return steps;
}

/// Why these rounds say nothing of differences; empty: they do.
std::string disturbance_of(const std::vector<PairedRound>& rounds) {
  if (rounds.size() < kFewestDeviceRounds) {
    return fmt::format("the devices took {} turn{} and need {}, a longer --budget helps",
                       rounds.size(), rounds.size() == 1 ? "" : "s", kFewestDeviceRounds);
  }
  std::vector<std::string> causes;
  int64_t disturbed = 0;
  for (const auto& [cause, count] : dropped_rounds(rounds)) {
    causes.push_back(fmt::format("{} {}", cause, count));
    disturbed += count;
  }
  const auto clean = static_cast<int64_t>(rounds.size()) - disturbed;
  if (clean >= static_cast<int64_t>(kFewestDeviceRounds)) return "";
  return fmt::format("other work disturbed {} of {} turns ({})", disturbed, rounds.size(),
                     join(causes));
}

}  // namespace

double common_error_of(const DeviceRatio& ratio) {
  constexpr double kNormal = 1.96;  // half-widths of a 95 % interval in standard errors
  return std::log(ratio.high / ratio.low) / 2 / kNormal;
}

Result<DeviceTurnTimes> time_in_turns(const DeviceTurns& turns, EngineRunner& runner, Clock& clock,
                                      RoundOptions options) {
  options.beside = [&turns](size_t engine_run, bool is_at_work) {
    const BusyNeighbour* neighbour = turns.neighbours[device_of_run(turns, engine_run)];
    if (neighbour == nullptr) return;
    is_at_work ? neighbour->resume() : neighbour->pause();
  };
  auto started = warm_up_in_place(turns.engine_runs, runner, clock, options);
  const std::vector<RunInPlace> found =
      profile_in_rounds(turns.engine_runs, runner, clock, options, std::move(started));
  if (options.cancel != nullptr && *options.cancel) {
    return Error{ErrorCode::kInterrupted, "interrupted"};
  }
  OPBENCH_CHECK(check_turns(turns, found));
  DeviceTurnTimes times;
  for (const RunInPlace& engine_run : found) {
    times.steps.push_back(steps_of_run(*engine_run.times));
    times.end_to_end_ms.push_back(engine_run.times->end_to_end.median_ms);
  }
  const std::vector<PairedRound> all = paired_visits(found);
  times.disturbance = disturbance_of(all);
  const std::vector<PairedRound> rounds = usable_rounds(all);
  times.rounds = static_cast<int>(rounds.size());
  for (size_t engine_run = 0; engine_run < found.size(); ++engine_run) {
    if (rounds.empty()) {
      times.ratios.emplace_back();
      continue;
    }
    const Estimate log_ratio = log_ratio_of(rounds, engine_run, options.seed);
    times.ratios.push_back({std::exp(log_ratio.value), std::exp(log_ratio.interval.low),
                            std::exp(log_ratio.interval.high)});
  }
  return times;
}

}  // namespace opbench
