#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engines/runtime/kernel_call.h"
#include "engines/runtime/teams/loop_team.h"

namespace opbench {

/// How long helpers spin for the next loop before they sleep, in pauses of the CPU. 4000 are about
/// 100 µs on current machines: longer than the gap between two kernels of a model.
inline constexpr int kLoopSpins = 4000;

/// Threads that share the iterations of one loop at a time: member 0 leads, the others help. A team
/// has members, no threads: whoever calls `help` is that member until the leader dismisses it.
///
/// Each member begins with a part of its own, the same for equal loops, so that the next kernel or
/// call finds its data in the cache of the core that made it; who is done helps the others.
///
/// Between loops helpers spin for a while, since the next kernel of a model follows at once, and
/// then sleep, so that an idle engine uses no CPU.
class Team final : public LoopTeam {
 public:
  /// One iteration; returns 0 unless it failed.
  using Body = KernelTask;

  /// `members` >= 1, the leader included.
  explicit Team(size_t members, int spins = kLoopSpins);

  size_t members() const { return parts_.size(); }

  /// By the leader.
  int parallel_for(Body body, void* context, int minimum, int count, uint8_t* closure) override;

  /// By the leader: every member, the leader too, calls `body` once, with its own number, and may
  /// lead loops of other teams in it. Waits for all of them. Returns as parallel_for.
  int run_on_each(Body body, void* context);

  /// By another member: takes part in all loops until the leader dismisses `step` or a later one.
  /// It may come late: the leader does not wait for it.
  void help(size_t member, uint64_t step);

  /// By the leader: those who help with `step` or an earlier one may go. Steps ascend.
  void dismiss(uint64_t step);

  /// By the leader: returns once every helper has been awake.
  void wake();

 private:
  struct Loop {
    Body body = nullptr;  ///< null: none, a waking or a dismissal
    void* context = nullptr;
    uint8_t* closure = nullptr;
    bool is_for_each = false;  ///< every member makes its own part and no other
  };

  /// A member's part of the running loop, with all that it must know of it in the cache line that
  /// it waits for: a line that has to come from another core takes as long as a small kernel's
  /// part. Written while no iteration of the part can be taken, before `place`.
  struct alignas(64) Part {
    std::atomic<uint64_t> place = 0;  ///< epoch, next chunk, end of the chunks (Place)
    std::atomic<Body> body = nullptr;
    std::atomic<void*> context = nullptr;
    std::atomic<uint8_t*> closure = nullptr;
    std::atomic<int> first = 0;       ///< iteration
    std::atomic<uint32_t> count = 0;  ///< of iterations
    std::atomic<uint32_t> chunk = 1;  ///< iterations that are taken together
    std::atomic<bool> is_for_each = false;
    std::atomic<uint32_t> seen = 0;  ///< the last epoch that its member, a helper, woke up to
  };

  /// Chunks that a member has made, of all loops; begins again after the largest number.
  struct alignas(64) Made {
    std::atomic<uint32_t> chunks = 0;
  };

  static uint32_t open(Part& part, uint32_t epoch, const Loop& loop, int first, uint32_t count);
  bool take_one(Part& part, bool is_own, uint32_t epoch, uint32_t& made);
  void take_all(size_t own, uint32_t epoch);
  void announce();
  int run_loop(const Loop& loop, int minimum, int count);
  uint32_t wait_for_epoch(const Part& part, uint32_t seen);
  uint32_t made_by_all() const;

  int spins_;
  std::vector<Part> parts_;  ///< one a member
  std::vector<Made> made_;   ///< likewise
  uint32_t opened_ = 0;      ///< chunks of all loops so far

  // Not read by a helper that spins, so that the leader has the line.
  alignas(64) std::atomic<uint32_t> epoch_ = 0;  ///< of the loop that was opened last, or a waking
  std::atomic<int> sleepers_ = 0;
  std::atomic<int> failure_ = 0;

  // Read by helpers before they wait, written when a step ends.
  alignas(64) std::atomic<uint64_t> dismissed_ = 0;
};

}  // namespace opbench
