#pragma once

#include <vector>

#include "base/json/json.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// A row that both sides have.
struct ComparedRow {
  std::vector<Json> cells;  ///< one value: `CompareRow` of the contract
  double factor = 0;
  double change_pct = 0;
  Verdict verdict = Verdict::kInconclusive;
  const Json& json() const;
};

}  // namespace opbench
