#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "engines/runtime/teams/team.h"

namespace opbench {

/// A team whose helpers are threads of its own, which help as long as it lives. The thread that
/// calls its functions leads.
class ThreadPool {
 public:
  /// `threads` >= 1, the calling thread included; helper i is pinned to cpus[i] when there is one.
  ThreadPool(int threads, const std::vector<int>& cpus);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  int parallel_for(Team::Body body, void* context, int minimum, int count, uint8_t* closure) {
    return team_.parallel_for(body, context, minimum, count, closure);
  }

  /// Returns once every helper was awake; they sleep again when no loop follows soon.
  void wake() { team_.wake(); }

  Team& team() { return team_; }
  int threads() const { return static_cast<int>(team_.members()); }

 private:
  Team team_;
  std::vector<std::thread> helpers_;
};

}  // namespace opbench
