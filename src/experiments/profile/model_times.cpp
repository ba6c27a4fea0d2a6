#include "experiments/profile/model_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace opbench {
namespace {

// Times of units that overlap do not add up to the model's; what they keep busy is a part of it.
std::string overlap_text(const EngineRun& engine_run, const InPlace& times) {
  double busy_ms = 0;
  for (const TeamStep& step : engine_run.asked.options.teams.steps) {
    const auto unit = static_cast<size_t>(step.step);
    if (unit >= times.units_ms.size()) continue;
    busy_ms += times.units_ms[unit] * static_cast<double>(step.workers.size());
  }
  const double all_ms = times.end_to_end.median_ms * engine_run.asked.options.threads;
  return fmt::format("units run side by side; they keep the {} workers busy {:.1f} % of the time",
                     engine_run.asked.options.threads, all_ms > 0 ? 100 * busy_ms / all_ms : 0);
}

}  // namespace

void add_model_times(EngineRun& engine_run, const RunInPlace& in_place) {
  ModelResult& model = engine_run.found.result.model;
  if (in_place.failure) model.end_to_end_reason = to_text(*in_place.failure);
  if (in_place.failure && !in_place.lacks_profiler()) {
    model.failure = in_place.failure;
    // Whoever could not run the model has not agreed with anything.
    CheckResult& check = engine_run.found.result.check;
    check.passed = check.passed && !engine_run.built.units.empty();
    if (!check.passed && check.reason.empty()) check.reason = to_text(*in_place.failure);
  }
  // The first process has checked the units besides, which takes memory of its own.
  for (const auto& [process, mb] : in_place.peak_memory_mb) {
    model.peak_memory_mb = std::min(model.peak_memory_mb.value_or(mb), mb);
  }
  if (!in_place.times) return;
  model.end_to_end = in_place.times->end_to_end;
  model.sum_in_place_ms = in_place.times->sum_ms;
  model.profiler_slowdown_percent = in_place.times->profiler_slowdown_percent;
  if (!engine_run.asked.options.teams.steps.empty()) {
    model.inconclusive = overlap_text(engine_run, *in_place.times);
    return;
  }
  model.dispatch_ms = in_place.times->dispatch_ms;
  model.call_overhead_ms = in_place.times->call_overhead_ms;
  model.gap_percent = in_place.times->gap_percent;
  model.inconclusive = in_place.times->inconclusive;
}

}  // namespace opbench
