#pragma once

#include "base/json/json.h"
#include "experiments/analysis/correlation_report.h"

namespace opbench {

/// The report `opbench.correlate/1`: {"schema", "source", "of", "tasks": [{"task", "target",
/// "rows", "factors": [{"factor", "verdict", "pearson", "spearman", …, "bins"}]}]}. Stable; fields
/// may be added. What is not known is null with `<field>_reason` beside it.
Json correlation_json(const CorrelationReport& report);

}  // namespace opbench
