#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/swept_times.h"
#include "machine/facts/topology.h"

namespace opbench {

/// A cache as a triad sees it.
struct CacheSize {
  int level = 0;
  int64_t bytes = 0;
};

/// The data caches that `cpu` sees, smallest level first.
std::vector<CacheSize> caches_of(const Topology& topology, int cpu);

/// Working sets for a triad on this machine: from a fifth of the first cache to four times the
/// last, at most 256 MiB.
std::vector<int64_t> triad_working_sets(const std::vector<CacheSize>& caches);

/// Times a triad (triad.h) on `cpu` over these working sets: the key `bytes`, times in ns a pass.
/// Every set is visited twice, in two passes over all, and the faster visit counts, as others only
/// ever slow it down. `progress` is called with the sets that are done and the number of all.
/// Errors are those of measure_triad(); `kInterrupted` once `is_cancelled` says so.
Result<SweptTimes> measure_triad_sweep(int cpu, const std::vector<int64_t>& working_sets,
                                       const std::function<void(size_t, size_t)>& progress,
                                       const std::function<bool()>& is_cancelled);

}  // namespace opbench
