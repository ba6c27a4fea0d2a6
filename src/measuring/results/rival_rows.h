#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// Where a unit was timed.
enum class TimePlace { kInPlace, kAlone };

/// The same part of a model on several engines.
struct RivalRow {
  std::vector<std::vector<size_t>> units;       ///< by engine: its rows that make this part
  std::vector<std::optional<double>> total_ms;  ///< by engine, over all occurrences
  int64_t count = 0;                            ///< how often the part occurs
};

/// Several engines' units side by side.
struct Rivals {
  std::vector<TimePlace> places;  ///< by engine: of its times
  std::vector<RivalRow> rows;     ///< by the first engine's time, largest first
};

/// Matches units by the nodes that they compute: where engines fuse differently, a row is the
/// smallest set of nodes that is whole units on every engine; equal rows are one. Units that share
/// no node with another engine (layout conversions) are rows of their own. Times are in place where
/// all engines have these, else alone where all have these, else what each has. Nothing when no two
/// engines share a row.
std::optional<Rivals> rivals_of(const std::vector<const EngineResult*>& engines);

}  // namespace opbench
