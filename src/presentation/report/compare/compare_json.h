#pragma once

#include "base/json/json.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// The report `opbench.compare/1`: stable; fields may be added, readers ignore those they do not
/// know. Its top level is the first pair; with more than two sides `comparisons` holds all pairs
/// and `winners` who is fastest at each unit. Ratios are new / base; what is not known is null with
/// `<field>_reason` beside it.
Json compare_json(const CompareResult& result);

}  // namespace opbench
