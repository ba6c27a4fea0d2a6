#include "engines/runtime/step_dependencies.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace opbench {
namespace {

/// Bytes begin … end of the arena; those of the device's lie below 0.
struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

Range range_of(const Program& program, int slot) {
  const Slot& memory = program.slots[static_cast<size_t>(slot)];
  if (memory.storage == Storage::kWeights) return {};
  const int64_t begin = memory.scope == MemoryScope::kHost
                            ? memory.offset
                            : memory.offset - program.device_arena_bytes;
  return {begin, begin + memory.bytes};
}

/// How bytes were used last, all of a stretch alike.
struct LastUse {
  int writer = -1;           ///< -1: none
  std::vector<int> readers;  ///< since then
};

/// The arena as the steps so far have used it.
class ArenaHistory {
 public:
  /// Calls `visit` with all stretches that make up the range.
  template <class Visit>
  void visit(const Range& range, const Visit& visit) {
    if (range.begin >= range.end) return;
    cut(range.begin);
    cut(range.end);
    const auto end = stretches_.find(range.end);
    for (auto it = stretches_.find(range.begin); it != end; ++it) visit(it->second);
  }

 private:
  /// From now on a stretch begins here.
  void cut(int64_t offset) {
    const auto next = stretches_.lower_bound(offset);
    if (next != stretches_.end() && next->first == offset) return;
    stretches_.emplace_hint(next, offset, std::prev(next)->second);
  }

  /// By their first byte; each ends where the next begins.
  std::map<int64_t, LastUse> stretches_ = {{std::numeric_limits<int64_t>::min(), {}}};
};

/// What a step would have to wait for. Steps that used the same bytes before the last writer are
/// not among them: the writer waits for these itself.
struct Users {
  std::set<int> writers;  ///< of what it reads
  std::set<int> users;    ///< of what it overwrites
};

/// Takes down what a step reads and writes.
Users add_step(const Program& program, int step, ArenaHistory& history) {
  Users found;
  const Step& added = program.steps[static_cast<size_t>(step)];
  for (const int slot : added.arguments) {
    history.visit(range_of(program, slot), [&](LastUse& use) {
      if (use.writer >= 0) found.writers.insert(use.writer);
    });
  }
  for (const int slot : added.results) {
    history.visit(range_of(program, slot), [&](LastUse& use) {
      if (use.writer >= 0) found.users.insert(use.writer);
      found.users.insert(use.readers.begin(), use.readers.end());
    });
  }
  for (const int slot : added.arguments) {
    history.visit(range_of(program, slot), [&](LastUse& use) { use.readers.push_back(step); });
  }
  for (const int slot : added.results) {
    history.visit(range_of(program, slot), [&](LastUse& use) { use = {step, {}}; });
  }
  return found;
}

}  // namespace

StepDependencies find_dependencies(const Program& program) {
  const size_t count = program.steps.size();
  StepDependencies found{.needs = StepWaits(count), .reuses = StepWaits(count)};
  ArenaHistory history;
  std::vector<BitSet> ended;  // by step: the steps that have, when it starts
  for (size_t i = 0; i < count; ++i) {
    const Users users = add_step(program, static_cast<int>(i), history);
    BitSet before(count);
    const auto wait_for = [&](int step) {
      before.add(static_cast<size_t>(step));
      before.add_all(ended[static_cast<size_t>(step)]);
    };
    found.needs[i].assign(users.writers.begin(), users.writers.end());
    for (const int step : users.writers) wait_for(step);
    for (auto user = users.users.rbegin(); user != users.users.rend(); ++user) {
      if (before[static_cast<size_t>(*user)]) continue;
      found.reuses[i].push_back(*user);
      wait_for(*user);
    }
    std::ranges::reverse(found.reuses[i]);
    ended.push_back(std::move(before));
  }
  return found;
}

}  // namespace opbench
