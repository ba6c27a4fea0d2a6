#include "prediction/costs/roofline.h"

#include <algorithm>

namespace opbench {
namespace {

constexpr double kGiga = 1e9;

double seconds_of(const BandwidthCeiling& level, int threads) {
  const double rate = threads == 1 ? level.one_thread : level.all_threads;
  return rate > 0 ? 1 / (rate * kGiga) : 0;
}

}  // namespace

const BandwidthCeiling* level_of(double bytes, const Ceilings& ceilings) {
  for (const BandwidthCeiling& level : ceilings.bandwidth) {
    if (level.level == "DRAM" || bytes <= capacity_of(level)) return &level;
  }
  return ceilings.bandwidth.empty() ? nullptr : &ceilings.bandwidth.back();
}

double seconds_per_byte(double footprint, const Ceilings& ceilings, int threads) {
  const BandwidthCeiling* level = level_of(footprint, ceilings);
  if (level == nullptr) return 0;
  const double seconds = seconds_of(*level, threads);
  if (level->level != "DRAM" || level == ceilings.bandwidth.data()) return seconds;
  const BandwidthCeiling& cache = *(level - 1);
  const double share = std::min(capacity_of(cache) / footprint, 1.0);
  return share * seconds_of(cache, threads) + (1 - share) * seconds;
}

RooflineTime roofline_time(double flops, double bytes, double footprint, const Ceilings& ceilings,
                           int threads) {
  RooflineTime time;
  const double peak = threads == 1 ? ceilings.peak_one_thread : ceilings.peak_all_threads;
  if (peak > 0) time.compute_s = flops / (peak * kGiga);
  const BandwidthCeiling* level = level_of(footprint, ceilings);
  if (level == nullptr) return time;
  time.level = static_cast<int>(level - ceilings.bandwidth.data());
  time.s_per_byte = seconds_per_byte(footprint, ceilings, threads);
  time.memory_s = bytes * time.s_per_byte;
  return time;
}

}  // namespace opbench
