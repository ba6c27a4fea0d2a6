#pragma once

#include <span>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// The flag of a timed call on inputs that the process has not seen before: it looks for kernels
/// that cheat, and is not hot. The engine's runner gives it, and it stays.
constexpr const char* kFreshFlag = "fresh";

/// What a sample is compared with when it is judged.
struct FlagContext {
  int64_t number = 1;
  int64_t launches = 1;  ///< of a call, on a device
  int threads = 1;       ///< that a call may use
  double usual_faults =
      0;              ///< minor faults of a repeat that are the operator's own (median so far)
  int last_cpu = -1;  ///< where the process's previous repeat ended; -1 unknown
};

/// Why a sample does not count; empty: it counts. Only causes are looked at, never the sample's
/// time, so that dropping samples cannot favour short times.
/// - `preempted`: the thread was switched out involuntarily, unless `waited_s` says that it waited
///   for at most 0.5 % of the repeat, and on a device 10 µs a launch, in which threads of its
///   driver take turns with the one that waits. With one thread, and no device, also: more than 0.5
///   % of the wall time went by without the CPU.
/// - `migrated`: with one thread, the repeat ran on another CPU than the one before.
/// - `faulted`: page faults above the usual number cost more than 0.5 % of the repeat, at 0.7 µs
///   each.
std::string flag_of(const Sample& sample, const FlagContext& context);

/// Median of the minor faults of these repeats.
double usual_faults(std::span<const Sample> samples);

/// The samples of one item in one process that its time is estimated from: the clean ones, or, if
/// there are fewer than three, all but the warm-up (`all_flagged` is set then).
struct UsableTimes {
  std::vector<double> wall_s;
  bool all_flagged = false;
};
UsableTimes usable_times(std::span<const Sample> samples, int process);

}  // namespace opbench
