#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "planned_model.h"
#include "value_contents.h"
#include "workers.h"

namespace opbench {

/// Runs a program on memory whose every float notes which element of which value it is.
class Simulation {
 public:
  explicit Simulation(const Planned& planned)
      : program_(planned.memory.program),
        contents_(planned),
        memory_(static_cast<size_t>((program_.arena_bytes + program_.device_arena_bytes) / 4), 0) {}

  void run() {
    for (const int input : program_.inputs) write(input);
    for (int round = 0; round < 2; ++round) {
      for (const Step& step : program_.steps) {
        for (const int argument : step.arguments) expect_intact(argument);
        for (const int result : step.results) write(result);
      }
      expect_ends_intact();
    }
  }

  /// Starts and ends steps at random, as soon as their waits allow. A running step has its operands
  /// to the end and its result from the start.
  void run_together(Random& random) {
    for (const int input : program_.inputs) write(input);
    std::vector<int> waiting(program_.steps.size());
    std::iota(waiting.begin(), waiting.end(), 0);
    std::vector<int> running;
    std::set<int> ended;
    while (!waiting.empty() || !running.empty()) {
      const std::vector<int> ready = startable_of(program_, waiting, ended);
      if (!ready.empty() && (running.empty() || random.below(2) == 0)) {
        const int step = ready[random.below(ready.size())];
        start(program_.steps[static_cast<size_t>(step)]);
        std::erase(waiting, step);
        running.push_back(step);
        most_together_ = std::max(most_together_, running.size());
      } else {
        ASSERT_FALSE(running.empty()) << "a step waits for ever";
        const int step = running[random.below(running.size())];
        end(program_.steps[static_cast<size_t>(step)]);
        std::erase(running, step);
        ended.insert(step);
      }
    }
    expect_ends_intact();
  }

  /// Workers run their programs at random pace: a leader starts a step when what it waits for has
  /// ended, a helper goes on when the step that it helps with has ended, and may come late.
  void run_teams(Random& random) {
    for (const int input : program_.inputs) write(input);
    Workers workers(program_.teams);
    size_t ended = 0;
    while (ended < program_.steps.size()) {
      const std::vector<int> actors = workers.able();
      ASSERT_FALSE(actors.empty()) << "workers wait for each other for ever";
      const int worker = actors[random.below(actors.size())];
      const Step& step = program_.steps[static_cast<size_t>(workers.step_of(worker))];
      if (workers.is_helper(worker)) {
        workers.leave(worker);
      } else if (workers.is_running(worker)) {
        end(step);
        workers.end(worker);
        ++ended;
      } else {
        start(step);
        workers.start(worker);
      }
      most_together_ = std::max(most_together_, workers.running());
    }
    expect_ends_intact();
  }

  size_t most_together() const { return most_together_; }

 private:
  void start(const Step& step) {
    for (const int argument : step.arguments) expect_intact(argument);
    for (const int index : step.results) {
      const Slot& result = slot(index);
      std::fill_n(memory_.begin() + contents_.place_of(result), result.bytes / 4, -1);
    }
  }

  void end(const Step& step) {
    for (const int argument : step.arguments) expect_intact(argument);
    for (const int index : step.results) {
      const Slot& result = slot(index);
      const auto begin = memory_.begin() + contents_.place_of(result);
      ASSERT_TRUE(std::all_of(begin, begin + result.bytes / 4, [](int v) { return v == -1; }))
          << result.name << " was overwritten while it was made";
      write(index);
    }
  }

  void expect_ends_intact() {
    for (const int output : program_.outputs) expect_intact(output);
    for (const int input : program_.inputs) expect_intact(input);
  }

  const Slot& slot(int index) const { return program_.slots[static_cast<size_t>(index)]; }

  void expect_place(const Slot& target) {
    const bool is_host = target.scope == MemoryScope::kHost;
    const int64_t room = is_host ? program_.arena_bytes : program_.device_arena_bytes;
    ASSERT_EQ(target.offset % (is_host ? 64 : 128), 0) << target.name << ": on no boundary";
    ASSERT_LE(target.offset + target.bytes, room) << target.name;
  }

  void write(int index) {
    const Slot& target = slot(index);
    ASSERT_EQ(target.storage, Storage::kArena);
    expect_place(target);
    const std::vector<int> content = contents_.made(index);
    std::ranges::copy(content, memory_.begin() + contents_.place_of(target));
  }

  void expect_intact(int index) {
    const Slot& target = slot(index);
    if (target.storage == Storage::kWeights) return;
    expect_place(target);
    const std::vector<int> wanted = contents_.of({target.name, target.layout.block, target.scope});
    ASSERT_EQ(wanted.size(), static_cast<size_t>(target.bytes / 4));
    const auto begin = memory_.begin() + contents_.place_of(target);
    ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), begin))
        << target.name << "/" << target.layout.block << " was overwritten";
  }

  const Program& program_;
  ValueContents contents_;
  std::vector<int> memory_;
  size_t most_together_ = 0;
};

}  // namespace opbench
