#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// What one pinned thread does over and over while being timed.
struct BurstWork {
  std::function<void(int64_t runs)> run;
  double amount = 0;  ///< of one run, in any unit
};

/// Starts a thread on each of `cpus`, lets each make its work (memory it touches there is local to
/// it), and has all run bursts of half a millisecond at the same moments until `seconds` have
/// passed since the call, but eight times at least. Returns the largest total amount a second that
/// any one moment reached, from its first start to its last end: interference only ever adds time,
/// so the best of many short bursts is nearest to what the machine can do. `kInvalidInput` when a
/// thread cannot be pinned, `kSystem` when one cannot be started or has no memory.
Result<double> best_rate(const std::vector<int>& cpus, double seconds,
                         const std::function<BurstWork()>& make);

/// How many runs each thread makes in a burst, from the seconds of one run on each thread; at least
/// 1. If these seconds are alike (within 25 %), all threads make the same number, so that one
/// disturbed estimate does no harm. If not (cores of several kinds), each makes as many as take
/// equally long.
std::vector<int64_t> runs_of_burst(const std::vector<double>& seconds_of_run);

}  // namespace opbench
