#pragma once

#include "base/json/json.h"
#include "measuring/results/sweep_result.h"

namespace opbench {

/// The report `opbench.sweep/1`: {"schema", "model" or "workload", "over": [{"key", "values"}],
/// "points": [{"values": {KEY: value}, "engine", "threads", "time_ms", …}], "environment", …}.
/// Stable; fields may be added. What is not known is null with `<field>_reason` beside it.
Json sweep_json(const SweepResult& result);

}  // namespace opbench
