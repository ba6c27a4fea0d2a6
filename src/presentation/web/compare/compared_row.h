#pragma once

#include <optional>
#include <vector>

#include "base/json/json.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// A row that both sides have.
struct ComparedRow {
  std::vector<Json> cells;  ///< one value: `CompareRow` of the contract
  double factor = 0;
  double change_pct = 0;
  std::optional<Verdict> verdict;  ///< nothing: the sides' clocks allow none
  const Json& json() const;
};

}  // namespace opbench
