#pragma once

#include "experiments/sessions/engine_run.h"

namespace opbench {

/// Makes every unit of the model (by `inputs.units`; kOwn as kFused) a preparation of its own, with
/// the model's weights and seeded operands in dense layout, and replaces the engine run's units by
/// these. An engine that runs models gets each as a model of one unit; for others it is a
/// `workload`. Errors are those of the passes and of the engine's preparation.
Result<void> add_workloads(EngineRun& engine_run, const RunInputs& inputs);

}  // namespace opbench
