#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "engines/runtime/teams/loop_team.h"

namespace opbench {

/// A thread pool that waits with condition variables: a loop is handed over under a mutex, its
/// threads sleep until one comes, and the caller sleeps until it has ended. What our pool, whose
/// threads spin, is compared with. As there, each thread has a part of its own of every loop.
class ConditionPool : public LoopTeam {
 public:
  /// One thread a CPU, pinned to it; the first is the calling thread, which is left as it is.
  explicit ConditionPool(const std::vector<int>& cpus);
  ConditionPool(const ConditionPool&) = delete;
  ConditionPool& operator=(const ConditionPool&) = delete;
  ~ConditionPool() override;

  int parallel_for(KernelTask body, void* context, int minimum, int count,
                   uint8_t* closure) override;

  /// Loops so far that were handed to other threads.
  uint64_t shared_loops() const { return number_; }

 private:
  struct Loop {
    KernelTask body = nullptr;  ///< null: threads end
    void* context = nullptr;
    uint8_t* closure = nullptr;
    int minimum = 0;
    int count = 0;
  };

  void help(size_t member, int cpu);
  int run_part(const Loop& loop, size_t member) const;

  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  Loop loop_;
  uint64_t number_ = 0;  ///< of the loop
  size_t working_ = 0;   ///< helpers that have not ended it
  int failure_ = 0;
  size_t members_;
  std::vector<std::thread> helpers_;
};

}  // namespace opbench
