#include "experiments/profile/run_findings.h"

#include <fmt/format.h>

#include "base/system/seconds.h"
#include "prediction/costs/physical_floor.h"

namespace opbench {

void note_left_behind(EngineRun& engine_run, const LeftBehind& left) {
  constexpr double kMegabyte = 1e6, kNotableMegabytes = 100;
  EngineResult& result = engine_run.found.result;
  result.threads_left = left.threads;
  result.memory_kept_mb = left.bytes / kMegabyte;
  if (left.threads > 0) {
    engine_run.built.warnings.push_back(
        fmt::format("{} left {} thread{} running that it did not have before", result.engine,
                    left.threads, left.threads == 1 ? "" : "s"));
  }
  if (*result.memory_kept_mb > kNotableMegabytes) {
    engine_run.built.warnings.push_back(fmt::format("{} kept {:.0f} MB after its timed calls",
                                                    result.engine, *result.memory_kept_mb));
  }
}

void refuse_impossible_model(EngineRun& engine_run, const Model& graph, const Ceilings& ceilings) {
  ModelResult& model = engine_run.found.result.model;
  const bool is_on_device = !engine_run.found.result.device.empty();
  if (!model.end_to_end || is_on_device) return;
  model.failure = impossible_model_time(graph, ms_to_s(model.end_to_end->median_ms), ceilings,
                                        engine_run.found.result.threads);
  if (!model.failure) return;
  model.end_to_end.reset();
  model.end_to_end_reason = to_text(*model.failure);
}

}  // namespace opbench
