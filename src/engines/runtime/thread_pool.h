#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "engines/runtime/kernel_call.h"

namespace opbench {

/// Threads that share the iterations of one loop at a time. The calling thread takes part.
///
/// Each thread begins with a part of its own, the same for equal loops, so that the next kernel or
/// call finds its data in the cache of the core that made it; who is done helps the others.
///
/// Between loops workers spin for a short while, since the next kernel of a model follows at once,
/// and then sleep, so that an idle engine uses no CPU.
class ThreadPool {
 public:
  /// One iteration; returns 0 unless it failed.
  using Body = KernelTask;

  /// `threads` >= 1, the calling thread included; worker i is pinned to cpus[i] when there is one.
  ThreadPool(int threads, const std::vector<int>& cpus);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  /// Runs `body` for `minimum` … `minimum + count - 1` and waits for all of them. A loop inside a
  /// loop runs on the thread that meets it. Returns the last code that is not 0, else 0.
  int parallel_for(Body body, void* context, int minimum, int count, uint8_t* closure);

  /// Returns once every worker was awake; they sleep again when no loop follows soon.
  void wake();

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

 private:
  struct Loop {
    Body body = nullptr;  ///< null: none, a waking or the end
    void* context = nullptr;
    uint8_t* closure = nullptr;
  };

  /// A thread's part of the running loop, with all that the thread must know of it in the cache
  /// line that it waits for: a line that has to come from another core takes as long as a small
  /// kernel's part. Written while no iteration of the part can be taken, before `place`.
  struct alignas(64) Part {
    std::atomic<uint64_t> place = 0;  ///< epoch, next piece, end of the pieces (Place)
    std::atomic<Body> body = nullptr;
    std::atomic<void*> context = nullptr;
    std::atomic<uint8_t*> closure = nullptr;
    std::atomic<int> first = 0;       ///< iteration
    std::atomic<uint32_t> count = 0;  ///< of iterations
    std::atomic<uint32_t> piece = 1;  ///< iterations that are taken together
    std::atomic<uint32_t> seen = 0;   ///< the last epoch that its thread, a worker, woke up to
  };

  /// Pieces that a thread has made, of all loops; begins again after the largest number.
  struct alignas(64) Made {
    std::atomic<uint32_t> pieces = 0;
  };

  static uint32_t open(Part& part, uint32_t epoch, const Loop& loop, int first, uint32_t count);
  static bool take_one(Part& part, uint32_t epoch, uint32_t& made, std::atomic<int>& failure);
  void announce(uint32_t epoch);
  void work(size_t own, int cpu);
  void take_all(size_t own, uint32_t epoch);
  uint32_t wait_for_epoch(const Part& part, uint32_t seen);
  uint32_t made_by_all() const;

  std::vector<Part> parts_;  ///< one a thread
  std::vector<Made> made_;   ///< likewise
  uint32_t opened_ = 0;      ///< pieces of all loops so far

  // Not read by a worker that spins, so that the calling thread has the line.
  alignas(64) std::atomic<uint32_t> epoch_ = 0;  ///< of the loop that was opened last, or a waking
  std::atomic<int> sleepers_ = 0;
  std::atomic<int> failure_ = 0;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace opbench
