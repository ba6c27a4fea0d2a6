#include "engines/package/live_set.h"

#include <algorithm>

namespace opbench {

int64_t largest_live_set(const std::vector<LiveValue>& values, int steps) {
  // What is added at a step, and taken away after the one before.
  std::vector<int64_t> changes(static_cast<size_t>(steps) + 3, 0);
  for (const LiveValue& value : values) {
    changes[static_cast<size_t>(value.first + 1)] += value.bytes;
    changes[static_cast<size_t>(value.last + 2)] -= value.bytes;
  }
  int64_t live = 0;
  int64_t largest = 0;
  for (const int64_t change : changes) {
    live += change;
    largest = std::max(largest, live);
  }
  return largest;
}

}  // namespace opbench
