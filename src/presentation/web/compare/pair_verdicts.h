#pragma once

#include <cstdint>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/compare/compared_row.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// Adds change, margin, factor and verdict to rows with the times of both sides. Verdicts are those
/// of `compare`; of two runs at different times they are made from their intervals by the same
/// rules, with what a series differs by from run to run as the A/A floor. Times of clocks that
/// cannot be compared have a ratio and no verdict. `entries`: both sides of
/// one comparison, whose recorded verdicts count; empty: there are none.
Result<std::vector<ComparedRow>> judged_rows(WebStore& store, std::vector<Json> rows,
                                             const std::vector<int64_t>& entries);

}  // namespace opbench
