#include "experiments/interference/neighbour_levels.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {

std::string level_name(int64_t bytes, double duty) {
  constexpr int64_t kKiB = 1024;
  constexpr int64_t kMiB = kKiB * kKiB;
  const std::string size = bytes >= kMiB
                               ? fmt::format("{:.3g} MiB", static_cast<double>(bytes) / kMiB)
                               : fmt::format("{:.3g} KiB", static_cast<double>(bytes) / kKiB);
  return duty < 1 ? size + fmt::format(" at {:.0f} %", duty * 100) : size;
}

std::vector<InterferenceLevel> neighbour_levels(const Topology& topology, int cpu) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  constexpr int64_t kUsualCache = 32 * kMiB;
  constexpr int64_t kMostMemory = 256 * kMiB;
  constexpr int kLastLevel = 3;
  int64_t cache = topology.cache_bytes(kLastLevel, cpu);
  if (cache == 0) cache = topology.cache_bytes(kLastLevel - 1, cpu);
  if (cache == 0) cache = kUsualCache;
  const int64_t memory = std::clamp(4 * cache, 2 * kMiB, kMostMemory);
  std::vector<InterferenceLevel> levels;
  const auto add = [&](int64_t bytes, double duty, bool is_probe) {
    levels.push_back({level_name(bytes, duty), bytes, duty, is_probe, {}});
  };
  add(cache / 4, 1, false);
  add(cache / 2, 0.5, false);
  add(cache / 2, 1, true);
  for (const double duty : {0.25, 0.5, 1.0}) add(memory, duty, false);
  return levels;
}

}  // namespace opbench
