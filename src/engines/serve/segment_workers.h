#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engines/runtime/teams/team.h"
#include "engines/serve/query_arena.h"

namespace opbench {

/// Segments that a team of workers runs one after the other.
struct SegmentLaunch {
  int query = 0;  ///< the caller's name for it
  QueryArena* arena = nullptr;
  size_t size = 0;           ///< of the team: index of the arena's packages
  std::vector<int> workers;  ///< free ones; the first leads
  std::vector<StepRange> segments;
};

/// Of one segment, by monotonic_s.
struct SegmentTime {
  double start_s = 0;
  double end_s = 0;
};

struct EndedLaunch {
  int query = 0;
  std::vector<SegmentTime> segments;  ///< those that were run
  int code = 0;                       ///< of the kernel that failed; 0: none did
};

/// Threads on CPUs of their own, which sleep until they get segments to run. One thread calls the
/// functions.
class SegmentWorkers {
 public:
  /// A worker a CPU; negative: anywhere.
  explicit SegmentWorkers(const std::vector<int>& cpus);
  SegmentWorkers(const SegmentWorkers&) = delete;
  SegmentWorkers& operator=(const SegmentWorkers&) = delete;
  /// Waits for what runs.
  ~SegmentWorkers();

  size_t size() const { return workers_.size(); }

  void start(SegmentLaunch launch);

  /// The launches that have ended since the last call; waits for one until `until_s`, a time of
  /// monotonic_s.
  std::vector<EndedLaunch> wait(double until_s);

 private:
  /// What a worker does next: lead a launch, or help with one.
  struct Task {
    bool is_last = false;  ///< the worker ends
    std::shared_ptr<const SegmentLaunch> led;
    Team* team = nullptr;
    size_t member = 0;
    uint64_t number = 0;  ///< of the team's launch, from 1
  };
  struct Worker {
    std::mutex mutex;
    std::condition_variable is_asked;
    std::deque<Task> tasks;
    std::thread thread;
  };
  struct NumberedTeam {
    explicit NumberedTeam(size_t members) : team(members) {}
    Team team;
    uint64_t launches = 0;
  };

  static void ask(Worker& worker, Task task);
  void work(size_t index, int cpu);
  void lead(const Task& task, size_t index);

  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<std::vector<int>, std::unique_ptr<NumberedTeam>> teams_;  ///< by workers
  std::mutex mutex_;
  std::condition_variable has_ended_;
  std::vector<EndedLaunch> ended_;
};

}  // namespace opbench
