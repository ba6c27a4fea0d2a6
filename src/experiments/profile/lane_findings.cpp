#include "experiments/profile/lane_findings.h"

#include <fmt/format.h>

#include "base/system/seconds.h"
#include "prediction/costs/physical_floor.h"

namespace opbench {

void note_left_behind(Lane& lane, const LeftBehind& left) {
  constexpr double kMegabyte = 1e6, kNotableMegabytes = 100;
  EngineResult& result = lane.result;
  result.threads_left = left.threads;
  result.memory_kept_mb = left.bytes / kMegabyte;
  if (left.threads > 0) {
    lane.warnings.push_back(fmt::format("{} left {} thread{} running that it did not have before",
                                        result.engine, left.threads, left.threads == 1 ? "" : "s"));
  }
  if (*result.memory_kept_mb > kNotableMegabytes) {
    lane.warnings.push_back(fmt::format("{} kept {:.0f} MB after its timed calls", result.engine,
                                        *result.memory_kept_mb));
  }
}

void refuse_impossible_model(Lane& lane, const Model& graph, const Ceilings& ceilings) {
  ModelResult& model = lane.result.model;
  if (!model.end_to_end) return;
  model.failure = impossible_model_time(graph, ms_to_s(model.end_to_end->median_ms), ceilings,
                                        lane.result.threads);
  if (!model.failure) return;
  model.end_to_end.reset();
  model.end_to_end_reason = to_text(*model.failure);
}

}  // namespace opbench
