#pragma once

#include "experiments/sessions/engine_run.h"
#include "experiments/unit_times/in_place_rounds.h"

namespace opbench {

/// Keeps what the runs of the whole model gave: end to end, the sum of its units, what lies between
/// them; or why there is none of it. A model that could not run has not passed its check.
void add_model_times(EngineRun& engine_run, const RunInPlace& in_place);

}  // namespace opbench
