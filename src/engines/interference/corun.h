#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "engines/interference/corun_side.h"

namespace opbench {

struct CorunOptions {
  std::array<int, 2> cpus{};  ///< one a side, different; the first is the calling thread's
  int rounds = 12;            ///< undisturbed ones that are wanted
  int most_tries = 200;       ///< rounds that are begun at most
  double window_s = 0.003;    ///< each side repeats for at least so long
  double limit_s = 1;         ///< no round begins later
  uint64_t seed = 0;          ///< of the order inside rounds
};

/// One undisturbed round. Seconds a call, of both sides.
struct CorunRound {
  std::array<double, 2> solo_s{};      ///< the other CPU's thread sleeps
  std::array<double, 2> together_s{};  ///< inside the time in which both ran
  std::array<int64_t, 2> calls{};      ///< in that time
  int64_t disturbed_turns = 0;         ///< left out of all three, see below
};

struct CorunResult {
  std::vector<CorunRound> rounds;
  std::map<std::string, int64_t> dropped;  ///< rounds by cause: preempted, migrated, late
  int64_t tries = 0;                       ///< rounds that were begun
  bool has_raised_priority = false;        ///< the system let both threads before others
};

/// Runs two kernels at the same time on two CPUs. A round runs each side alone and both together,
/// in an order drawn from the seed. Threads first call once untimed, meet at a spin barrier, and
/// then repeat until each has run for `window_s` and made three turns that count. Two kinds of
/// turns do not count: those that begin in the first millisecond, in which caches settle, and those
/// of which a part lies outside the time in which both ran.
///
/// A turn is disturbed where its thread was switched out involuntarily. It does not count, and
/// neither do the turns that the other side made meanwhile. A round ends at once and is dropped
/// where fewer than two turns of a phase are left (`preempted`), a thread was on another CPU
/// (`migrated`), or one came too late to the barrier or to an end (`late`). Threads wait for each
/// other for one second at the barrier, and for 5 s until both have made their turns. Only a kernel
/// that hangs holds them longer; the caller must deal with that.
///
/// kRunError with the code of a kernel that failed; kInvalidConfig where a CPU cannot be used or an
/// option is out of range. Without an undisturbed round `rounds` is empty: the caller must say so.
Outcome<CorunResult> run_corun(const std::array<CorunSide, 2>& sides, const CorunOptions& options);

}  // namespace opbench
