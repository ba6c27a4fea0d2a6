#include "prediction/costs/roofline.h"

namespace opbench {

const BandwidthCeiling* level_of(double bytes, const Ceilings& ceilings) {
  for (const BandwidthCeiling& level : ceilings.bandwidth) {
    const bool is_memory = level.level == "DRAM";
    if (is_memory || bytes <= 2.0 * static_cast<double>(level.bytes)) return &level;
  }
  return ceilings.bandwidth.empty() ? nullptr : &ceilings.bandwidth.back();
}

RooflineTime roofline_time(double flops, double bytes, double footprint, const Ceilings& ceilings,
                           int threads) {
  constexpr double kGiga = 1e9;
  RooflineTime time;
  const bool is_single = threads == 1;
  const double peak = is_single ? ceilings.peak_one_thread : ceilings.peak_all_threads;
  if (peak > 0) time.compute_s = flops / (peak * kGiga);
  const BandwidthCeiling* level = level_of(footprint, ceilings);
  if (level == nullptr) return time;
  time.level = static_cast<int>(level - ceilings.bandwidth.data());
  const double rate = is_single ? level->one_thread : level->all_threads;
  if (rate > 0) time.memory_s = bytes / (rate * kGiga);
  return time;
}

}  // namespace opbench
