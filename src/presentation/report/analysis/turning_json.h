#pragma once

#include "base/json/json.h"
#include "experiments/analysis/turning_report.h"

namespace opbench {

/// The report `opbench.turning-point/1`: {"schema", "subject", "source", "axes": [effects],
/// "series": [{"axis", "n_best", "n95", "n95_fitted", "n_theta", "knee", "forms", "points", …}]}.
/// Stable; fields may be added. What is not known is null with `<field>_reason` beside it.
Json turning_json(const TurningReport& report);

}  // namespace opbench
