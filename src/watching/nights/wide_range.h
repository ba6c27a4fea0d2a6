#pragma once

#include <string>
#include <vector>

#include "watching/nights/night_state.h"

namespace opbench {

/// What is suspected since the last night in which paired runs could be asked for, and came with
/// any of several commits.
struct WideRange {
  std::string engine = {};
  int good = 0, bad = 0;             ///< places of nights
  std::vector<std::string> commits;  ///< of code, before that of the bad night, oldest first
  std::vector<int> rows;             ///< suspected ones, the largest beside their noise first
};

/// Those of tonight and of the nights that were filled in before it; the surest first.
std::vector<WideRange> wide_ranges(const WatchState& state, const WatchOptions& options);

}  // namespace opbench
