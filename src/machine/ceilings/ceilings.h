#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/facts/topology.h"

namespace opbench {

/// How fast a level of memory can be read.
struct BandwidthCeiling {
  std::string level;       ///< L1, L2, L3, DRAM
  int64_t bytes = 0;       ///< read over and over by one thread
  double one_thread = 0;   ///< GB/s on the first CPU, the others idle
  double all_threads = 0;  ///< GB/s of all CPUs together
  bool operator==(const BandwidthCeiling&) const = default;
};

/// Bytes that a cache with this bandwidth holds; of DRAM the number says nothing.
double capacity_of(const BandwidthCeiling& level);

/// What this machine can do at most: the roof of a roofline (Williams et al., 2009), measured.
/// Every value is the best of many bursts of half a millisecond: other work on the machine
/// can only lower it.
struct Ceilings {
  std::vector<int> cpus;                    ///< those measured, one thread each
  std::string isa;                          ///< of the loops: avx512, avx2, sse2
  double peak_one_thread = 0;               ///< GFLOP/s, float32 multiply-adds
  double peak_all_threads = 0;              ///< GFLOP/s
  std::vector<BandwidthCeiling> bandwidth;  ///< fastest level first; those that exist
  bool operator==(const Ceilings&) const = default;
};

/// Measures now; under a second on 2 CPUs. Errors are those of best_rate().
Result<Ceilings> measure_ceilings(const std::vector<int>& cpus, const Topology& topology);

/// From `folder`/ceilings-<hash>-<threads>.json when that was measured on these CPUs of the machine
/// with this hash (environment.h), else measured and kept there. A cache that cannot be written is
/// no error.
Result<Ceilings> ceilings(const std::vector<int>& cpus, const Topology& topology,
                          const std::string& machine_hash, const std::filesystem::path& folder);

/// The float32 peak of these CPUs together in GFLOP/s, measured now in 50 ms: stands beside every
/// run, as the machine was then. Nothing when they cannot be used.
std::optional<double> remeasure_peak(const std::vector<int>& cpus);

/// JSON text of one line and back. `kInvalidInput` if it is not from to_text().
std::string to_text(const Ceilings& ceilings);
Result<Ceilings> parse_ceilings(const std::string& text);

/// The bytes that one of `threads` threads on `cpu` reads to measure level 1 to 3, or 4 for DRAM; 0
/// when the machine has no such level. They are half of L1 or L2, an eighth of L3 (which virtual
/// machines share with others), and for DRAM four times the last cache, within 64 to 512 MiB.
/// Threads that share a cache divide these bytes, but each keeps clearly more than the level before
/// holds.
int64_t bytes_to_read(const Topology& topology, int level, int cpu, int threads);

}  // namespace opbench
