#include "prediction/costs/bound.h"

#include <algorithm>

#include "base/system/seconds.h"
#include "prediction/costs/roofline.h"

namespace opbench {
namespace {

/// What moving a call's bytes takes at least, and the level that takes longest.
struct Traffic {
  double seconds = 0;
  std::string level;
};

Traffic traffic_of(double bytes, double fetched_bytes, const Ceilings& ceilings, int threads) {
  const double fetched = std::min(fetched_bytes, bytes);
  const double kept = bytes - fetched;
  const double kept_s = roofline_time(0, kept, kept, ceilings, threads).memory_s;
  const BandwidthCeiling* level = level_of(kept, ceilings);
  if (fetched <= 0 || level == nullptr) return {kept_s, level == nullptr ? "" : level->level};
  const BandwidthCeiling& memory = ceilings.bandwidth.back();
  const double rate = threads == 1 ? memory.one_thread : memory.all_threads;
  const double fetched_s = rate > 0 ? fetched / (rate * 1e9) : 0;
  return {kept_s + fetched_s, fetched_s < kept_s ? level->level : memory.level};
}

}  // namespace

void rate_unit(UnitResult& unit, const EngineResult& engine, const Ceilings& ceilings,
               double fetched_bytes) {
  const double time_ms = unit.time ? unit.time->median_ms : unit.in_place_ms.value_or(0);
  if (time_ms <= 0) return;
  const double seconds = ms_to_s(time_ms);
  if (!engine.device.empty()) {
    if (unit.flops) unit.gflops_per_s = *unit.flops / seconds * 1e-9;
    if (unit.bytes) unit.gbytes_per_s = *unit.bytes / seconds * 1e-9;
    unit.no_bound_reason = kNoDeviceCeilings;
    return;
  }
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
    const Traffic traffic = traffic_of(*unit.bytes, fetched_bytes, ceilings, engine.threads);
    if (traffic.seconds > ideal_s) unit.bound = traffic.level;
    ideal_s = std::max(ideal_s, traffic.seconds);
  }
  const bool is_short = unit.time && time_ms < kFloorsForVerdict * engine.call_floor_ms;
  const bool is_far = ideal_s > 0 && time_ms < 0.05 && seconds > 10 * ideal_s;
  if (is_short || is_far) unit.bound = "overhead";
}

}  // namespace opbench
