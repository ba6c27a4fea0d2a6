#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

#include "engines/runtime/program.h"

namespace opbench {

/// Those of `waiting` whose waits have ended.
inline std::vector<int> startable_of(const Program& program, const std::vector<int>& waiting,
                                     const std::set<int>& ended) {
  std::vector<int> ready;
  const auto has_ended = [&](int step) { return ended.contains(step); };
  std::ranges::copy_if(waiting, std::back_inserter(ready), [&](int i) {
    const Step& step = program.steps[static_cast<size_t>(i)];
    return std::ranges::all_of(step.needs, has_ended) &&
           std::ranges::all_of(step.reuses, has_ended);
  });
  return ready;
}

/// Where workers are in their programs.
class Workers {
 public:
  explicit Workers(const TeamProgram& teams) : programs_(static_cast<size_t>(teams.workers)) {
    for (const TeamStep& step : teams.steps) {
      for (const int worker : step.workers) programs_[static_cast<size_t>(worker)].push_back(&step);
    }
    places_.resize(programs_.size());
    running_.resize(programs_.size());
  }

  /// Workers that can go on.
  std::vector<int> able() const {
    std::vector<int> result;
    for (int worker = 0; worker < std::ssize(programs_); ++worker) {
      const auto index = static_cast<size_t>(worker);
      if (places_[index] == programs_[index].size()) continue;
      const auto has_ended = [&](int step) { return ended_.contains(step); };
      const TeamStep& step = at(worker);
      const bool is_able = is_helper(worker)
                               ? ended_.contains(step.step)
                               : running_[index] || std::ranges::all_of(step.waits, has_ended);
      if (is_able) result.push_back(worker);
    }
    return result;
  }

  int step_of(int worker) const { return at(worker).step; }
  bool is_helper(int worker) const { return at(worker).workers.front() != worker; }
  bool is_running(int worker) const { return running_[static_cast<size_t>(worker)]; }
  size_t running() const { return static_cast<size_t>(std::ranges::count(running_, true)); }

  void start(int worker) { running_[static_cast<size_t>(worker)] = true; }
  void end(int worker) {
    running_[static_cast<size_t>(worker)] = false;
    ended_.insert(step_of(worker));
    leave(worker);
  }
  void leave(int worker) { ++places_[static_cast<size_t>(worker)]; }

 private:
  const TeamStep& at(int worker) const {
    return *programs_[static_cast<size_t>(worker)][places_[static_cast<size_t>(worker)]];
  }

  std::vector<std::vector<const TeamStep*>> programs_;
  std::vector<size_t> places_;
  std::vector<bool> running_;
  std::set<int> ended_;
};

}  // namespace opbench
