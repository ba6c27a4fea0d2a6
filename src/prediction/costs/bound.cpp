#include "prediction/costs/bound.h"

#include <algorithm>

#include "prediction/costs/roofline.h"

namespace opbench {

void rate_unit(UnitResult& unit, const EngineResult& engine, const Ceilings& ceilings) {
  const double time_ms = unit.time ? unit.time->median_ms : unit.in_place_ms.value_or(0);
  if (time_ms <= 0) return;
  const double seconds = time_ms * 1e-3;
  const bool is_single = engine.threads == 1;
  const double peak =
      engine.peak_gflops.value_or(is_single ? ceilings.peak_one_thread : ceilings.peak_all_threads);
  double ideal_s = 0;
  if (unit.flops) unit.gflops_per_s = *unit.flops / seconds * 1e-9;
  if (unit.flops && peak > 0) {
    unit.percent_of_peak = *unit.gflops_per_s / peak * 100;
    ideal_s = *unit.flops / (peak * 1e9);
    unit.bound = "compute";
  }
  if (unit.bytes) {
    unit.gbytes_per_s = *unit.bytes / seconds * 1e-9;
    const double memory_s =
        roofline_time(0, *unit.bytes, *unit.bytes, ceilings, engine.threads).memory_s;
    if (memory_s > ideal_s) unit.bound = level_of(*unit.bytes, ceilings)->level;
    ideal_s = std::max(ideal_s, memory_s);
  }
  const bool is_short = unit.time && time_ms < kFloorsForVerdict * engine.call_floor_ms;
  const bool is_far = ideal_s > 0 && time_ms < 0.05 && seconds > 10 * ideal_s;
  if (is_short || is_far) unit.bound = "overhead";
}

}  // namespace opbench
