#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// A value that a step makes, or an input, with the time in which its bytes must be kept: from the
/// step that makes it to the last one that reads them, under any name.
struct LiveValue {
  int64_t bytes = 0;
  int first = 0;  ///< step; -1: before the first one
  int last = 0;   ///< step; `steps`: after the last one
};

/// The bytes that must be kept at once when `steps` steps run one after the other: the largest sum,
/// over the steps, of the values that live then. A step's results live beside its operands, since
/// no kernel works in place. No plan needs less.
int64_t largest_live_set(const std::vector<LiveValue>& values, int steps);

}  // namespace opbench
