#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/compare_result.h"

namespace opbench {

/// Who is fastest at one unit, or at the whole model, among all sides of a comparison.
struct Standing {
  UnitIdentity identity;
  int64_t count = 1;
  std::vector<std::optional<double>> median_ms;  ///< by side; nothing: it has no time
  std::optional<size_t> winner;                  ///< the side that is faster than all others
  std::vector<size_t> tied;      ///< no winner: the sides that are the same and that nobody beats
  std::vector<size_t> unbeaten;  ///< neither: those that may be the fastest, if some are not
};

/// One a unit, in the order in which the pairs name them. A side is ahead of another when their
/// verdict says so. Without a verdict it is ahead when the interval of their ratio lies beyond the
/// margin, or when it is ahead of one that is; as such times are too short for a verdict, the
/// slower one must be behind even without its engine's call overhead. Two sides are the same when a
/// verdict says so. Sides without a time do not take part.
std::vector<Standing> unit_standings(const CompareResult& result);

/// The same for the model.
Standing model_standing(const CompareResult& result);

/// The winner's label (one a side), `tie` (of all), `tie: A, B`, `A or B` where only the others are
/// known to be behind, or `?`.
std::string winner_text(const Standing& standing, const std::vector<std::string>& labels);

}  // namespace opbench
