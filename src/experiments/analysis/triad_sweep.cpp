#include "experiments/analysis/triad_sweep.h"

#include <algorithm>
#include <map>

#include "machine/ceilings/triad.h"

namespace opbench {

std::vector<CacheSize> caches_of(const Topology& topology, int cpu) {
  std::vector<CacheSize> caches;
  for (const Cache& cache : topology.caches) {
    const bool sees = std::ranges::find(cache.cpus, cpu) != cache.cpus.end();
    if (sees && !cache.instruction) caches.push_back({cache.level, cache.bytes});
  }
  std::ranges::sort(caches, {}, &CacheSize::level);
  return caches;
}

std::vector<int64_t> triad_working_sets(const std::vector<CacheSize>& caches) {
  constexpr int64_t kKiB = 1024;
  constexpr int64_t kMost = 256 * kKiB * kKiB;
  constexpr int kPerOctave = 6;
  const int64_t first = caches.empty() ? 32 * kKiB : caches.front().bytes;
  const int64_t last = caches.empty() ? 32 * kKiB * kKiB : caches.back().bytes;
  return working_sets(std::max<int64_t>(first / 5, 768), std::min(4 * last, kMost), kPerOctave);
}

Result<SweptTimes> measure_triad_sweep(int cpu, const std::vector<int64_t>& working_sets,
                                       const std::function<void(size_t, size_t)>& progress,
                                       const std::function<bool()>& is_cancelled) {
  constexpr int kVisits = 2;
  constexpr double kVisitSeconds = 0.012;
  std::map<int64_t, double> rates;
  size_t done = 0;
  for (int visit = 0; visit < kVisits; ++visit) {
    for (const int64_t bytes : working_sets) {
      if (is_cancelled()) return Error{ErrorCode::kInterrupted, "interrupted"};
      OPBENCH_TRY(const TriadPoint point, measure_triad(cpu, bytes, kVisitSeconds));
      rates[point.bytes] = std::max(rates[point.bytes], point.gbytes_per_s);
      progress(++done, kVisits * working_sets.size());
    }
  }
  SweptTimes table{.source = "measured",
                   .subject = "triad",
                   .keys = {{"bytes", {}, {}}},
                   .time_name = "time of a pass",
                   .unit = "ns"};
  for (const auto& [bytes, rate] : rates) {
    add_row(table, {std::to_string(bytes)}, static_cast<double>(bytes) / rate);
  }
  return finished(std::move(table));
}

}  // namespace opbench
