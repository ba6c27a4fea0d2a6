#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "presentation/web/compare/compared_row.h"

namespace opbench {

/// Both sides, and what they have in common.
struct PairedRows {
  std::vector<Json> sides;  ///< of two values: `RunInfo` of the contract
  int64_t entry_a = 0, entry_b = 0;
  bool is_paired = false;
  std::vector<ComparedRow> rows;
  int64_t only_a = 0, only_b = 0;  ///< rows that the other side has not
  int64_t failed = 0;
  std::string side_sql;  ///< `WITH a AS …, b AS …`, rows of both sides with `match_key`
};

}  // namespace opbench
