#include "engines/runtime/step_dependencies.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace opbench {
namespace {

/// Bytes begin … end of the arena.
struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
};

Range range_of(const Program& program, int slot) {
  const Slot& memory = program.slots[static_cast<size_t>(slot)];
  if (memory.storage == Storage::kWeights || memory.bytes == 0) return {};
  return {memory.offset, memory.offset + memory.bytes};
}

bool any_overlaps(const std::vector<Range>& ranges, const Range& range) {
  return std::ranges::any_of(ranges, [&](const Range& other) { return other.overlaps(range); });
}

/// `range` without the bytes of `hole`, appended to `rest`.
void subtract(const Range& range, const Range& hole, std::vector<Range>& rest) {
  if (!range.overlaps(hole)) {
    rest.push_back(range);
    return;
  }
  if (range.begin < hole.begin) rest.push_back({range.begin, hole.begin});
  if (hole.end < range.end) rest.push_back({hole.end, range.end});
}

/// What one step reads and writes.
struct Access {
  std::vector<Range> reads;
  std::vector<Range> writes;
};

/// The steps that wrote the bytes of `wanted` last before step `reader`.
std::vector<int> last_writers(const std::vector<Access>& accesses, size_t reader,
                              std::vector<Range> wanted) {
  std::vector<int> writers;
  for (size_t i = reader; i-- > 0 && !wanted.empty();) {
    bool is_writer = false;
    for (const Range& write : accesses[i].writes) {
      if (!any_overlaps(wanted, write)) continue;
      is_writer = true;
      std::vector<Range> rest;
      for (const Range& range : wanted) subtract(range, write, rest);
      wanted = std::move(rest);
    }
    if (is_writer) writers.push_back(static_cast<int>(i));
  }
  std::ranges::reverse(writers);
  return writers;
}

}  // namespace

StepDependencies find_dependencies(const Program& program) {
  std::vector<Access> accesses;
  for (const Step& step : program.steps) {
    Access access;
    for (const int slot : step.arguments) access.reads.push_back(range_of(program, slot));
    for (const int slot : step.results) access.writes.push_back(range_of(program, slot));
    accesses.push_back(std::move(access));
  }
  StepDependencies found;
  std::vector<std::vector<bool>> ended;  // [step][earlier step]: it has, when the step starts
  for (size_t i = 0; i < accesses.size(); ++i) {
    found.needs.push_back(last_writers(accesses, i, accesses[i].reads));
    found.reuses.emplace_back();
    std::vector<bool> before(accesses.size());
    const auto wait_for = [&](size_t step) {
      before[step] = true;
      for (size_t j = 0; j < step; ++j) before[j] = before[j] || ended[step][j];
    };
    for (const int step : found.needs[i]) wait_for(static_cast<size_t>(step));
    for (size_t j = i; j-- > 0;) {
      const bool is_in_the_way = std::ranges::any_of(accesses[i].writes, [&](const Range& write) {
        return any_overlaps(accesses[j].writes, write) || any_overlaps(accesses[j].reads, write);
      });
      if (!is_in_the_way || before[j]) continue;
      found.reuses[i].push_back(static_cast<int>(j));
      wait_for(j);
    }
    std::ranges::reverse(found.reuses[i]);
    ended.push_back(std::move(before));
  }
  return found;
}

}  // namespace opbench
