#pragma once

#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "measuring/results/sweep_result.h"

namespace opbench {

/// The report `opbench.sweep/1`: {"schema", "model" or "workload", "over": [{"key", "values"}],
/// "points": [{"values": {KEY: value}, "engine", "threads", "time_ms", …}], "environment", …}.
/// Stable; fields may be added. What is not known is null with `<field>_reason` beside it.
Json sweep_json(const SweepResult& result);

/// What others ask of a report: model or workload, the names of the keys, and of each point its
/// values and, unless it failed, the median of its time. `kInvalidInput` for JSON that is none;
/// `what` names it.
Result<SweepResult> parse_sweep(const Json& report, const std::string& what);

}  // namespace opbench
