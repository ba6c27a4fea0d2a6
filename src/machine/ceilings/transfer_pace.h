#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "machine/ceilings/ceilings.h"

namespace opbench {

/// What a byte of a value costs more when one CPU writes it and another reads it than when the same
/// CPU does both.
struct TransferPace {
  std::optional<double> ns_per_byte;  ///< above 0; nothing: it is not known
  std::string reason;                 ///< why it is not known
  bool operator==(const TransferPace&) const = default;
};

/// Measured: 256 KiB go to and fro, each thread reads what the other wrote and writes as much into
/// lines that the other has read; then one thread does both. See transfer_pace_of. Takes about
/// 5 ms, and up to four times that where the first tries say nothing. Not known where a thread
/// cannot be put there, or where others leave the threads so little time that they are not ready
/// within `limit` a try.
TransferPace measured_transfer_pace(
    int first, int second, std::chrono::milliseconds limit = std::chrono::milliseconds(50));

/// From nanoseconds of a turn in several series, by two threads and by one, and the bytes of a
/// turn: the fastest series less the fastest of one thread, as other work only ever adds time. How
/// far the fastest can be trusted is how far the fastest quarter of a kind lies apart: a difference
/// within both spreads together cannot be told from 0.
TransferPace transfer_pace_of(std::vector<double> shared_ns, std::vector<double> own_ns,
                              size_t bytes);

/// The last cache that was measured, whose pace bytes between CPUs have by model; memory where no
/// cache was, nothing where that was not either.
std::optional<BandwidthCeiling> last_cache_of(const Ceilings& ceilings);

}  // namespace opbench
