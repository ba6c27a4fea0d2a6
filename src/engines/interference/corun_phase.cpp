#include "engines/interference/corun_phase.h"

#include <sched.h>
#include <sys/resource.h>

#include <utility>

#include "base/system/monotonic_clock.h"
#include "base/system/spin_pause.h"

namespace opbench {
namespace {

constexpr int64_t kWantedTurns = 3;
constexpr size_t kMostTurns = 1 << 16;
constexpr double kSettling = 0.001;  // seconds: caches become what they are in this company
constexpr double kBarrierLimit = 1;  // seconds
constexpr double kTurnsLimit = 5;
constexpr int kSpinsBetweenReadings = 256;

/// Of the calling thread.
int64_t involuntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// So many disturbed turns that the round is better begun again.
bool is_hopeless(const PhaseTurns& turns) {
  constexpr int64_t kPatience = 8;
  const int64_t good = std::ssize(turns.turns) - turns.disturbed;
  return turns.disturbed > kPatience + good;
}

}  // namespace

/// False when the others have not come within the limit.
bool CorunPhase::meet() {
  arrived_.fetch_add(1, std::memory_order_acq_rel);
  const double limit = monotonic_s() + kBarrierLimit;
  for (int spin = 1; arrived_.load(std::memory_order_acquire) < parties_; ++spin) {
    if (is_over_.load(std::memory_order_relaxed)) return false;
    if (spin % kSpinsBetweenReadings == 0 && monotonic_s() > limit) return false;
    spin_pause();
  }
  return true;
}

void CorunPhase::repeat(const CorunSide& side, int cpu, PhaseTurns& turns) {
  turns.turns.clear();
  turns.turns.reserve(kMostTurns);
  turns.disturbed = 0;
  turns.is_late = false;
  turns.code = side.call();  // fills the caches
  turns.has_moved = ::sched_getcpu() != cpu;
  if (!meet() || turns.code != 0) {
    turns.is_late = true;
    is_over_.store(true, std::memory_order_relaxed);
    return;
  }
  int code = 0;
  bool is_satisfied = false;
  double good_s = 0;
  const double start = monotonic_s();
  int64_t switches = involuntary_switches();
  while (satisfied_.load(std::memory_order_acquire) < parties_) {
    CorunTurn turn{.begin = monotonic_s()};
    for (int64_t i = 0; i < turns.number && code == 0; ++i) code = side.call();
    turn.end = monotonic_s();
    const int64_t before = std::exchange(switches, involuntary_switches());
    turn.is_disturbed = switches != before;
    if (turn.begin - start >= kSettling) {
      turns.turns.push_back(turn);
      turns.disturbed += turn.is_disturbed ? 1 : 0;
      good_s += turn.is_disturbed ? 0 : turn.end - turn.begin;
    }
    const int64_t good = std::ssize(turns.turns) - turns.disturbed;
    if (!is_satisfied && good >= kWantedTurns && good_s >= window_s_) {
      is_satisfied = true;
      satisfied_.fetch_add(1, std::memory_order_acq_rel);
    }
    turns.is_late = turns.turns.size() >= kMostTurns || turn.end - start > kTurnsLimit;
    const bool is_broken = code != 0 || turns.is_late || is_hopeless(turns);
    if (is_broken) is_over_.store(true, std::memory_order_relaxed);
    if (is_over_.load(std::memory_order_relaxed)) break;
  }
  turns.code = code;
  turns.has_moved = turns.has_moved || ::sched_getcpu() != cpu;
}

}  // namespace opbench
