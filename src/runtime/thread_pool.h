#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "opbench/runtime/kernel_call.h"

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
  /// A part of the running loop: its epoch in the upper half, its next iteration below.
  struct alignas(64) Part {
    std::atomic<uint64_t> state = 0;
    std::atomic<uint32_t> seen = 0;  ///< the last epoch that its thread, a worker, woke up to
  };

  void work(size_t own, int cpu);
  void take_all(size_t own);
  bool take_one(size_t part, uint32_t& made);
  bool wait_for_loop(uint32_t seen);
  uint32_t begin_of(size_t part, uint32_t count) const;

  // The running loop. They are written while all parts are closed and are not changed before all
  // its iterations are done, so whoever takes an iteration of an epoch reads that epoch's values.
  std::atomic<Body> body_ = nullptr;
  std::atomic<void*> context_ = nullptr;
  std::atomic<uint8_t*> closure_ = nullptr;
  std::atomic<int> minimum_ = 0;
  std::atomic<uint32_t> count_ = 0;
  std::atomic<int> failure_ = 0;

  std::vector<Part> parts_;                      ///< one a thread
  alignas(64) std::atomic<uint32_t> epoch_ = 0;  ///< of the loop that was opened last, or a waking
  alignas(64) std::atomic<uint32_t> done_ = 0;
  alignas(64) std::atomic<int> sleepers_ = 0;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace opbench
