#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "engines/interference/corun_side.h"
#include "engines/interference/overlap.h"

namespace opbench {

/// What a thread saw while it repeated its side.
struct alignas(64) PhaseTurns {
  std::vector<CorunTurn> turns;  ///< after caches have settled
  int64_t disturbed = 0;         ///< of these
  int64_t number = 1;            ///< calls a turn
  int code = 0;                  ///< of the kernel call that failed
  bool is_late = false;          ///< waited in vain
  bool has_moved = false;        ///< was on another CPU than its own
};

/// The time in which one side repeats its call, or both: a barrier, then turns until every taking
/// part has enough of them.
class CorunPhase {
 public:
  CorunPhase(int parties, double window_s) : parties_(parties), window_s_(window_s) {}

  /// For the thread of one side, on `cpu`. Returns when all are satisfied, or a wait was too long.
  void repeat(const CorunSide& side, int cpu, PhaseTurns& turns);

 private:
  bool meet();

  const int parties_;
  const double window_s_;
  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<int> satisfied_ = 0;
  alignas(64) std::atomic<bool> is_over_ = false;  ///< somebody gave up
};

}  // namespace opbench
