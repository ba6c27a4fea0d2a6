#pragma once

#include "experiments/sessions/engine_run.h"
#include "machine/ceilings/ceilings.h"

namespace opbench {

/// Keeps which threads and how much memory the engine's processes hold after they were measured,
/// and warns where that is more than before. Threads that run on after a reply may compute what the
/// next reply claims. Memory that grows may hold results that were computed before.
void note_left_behind(EngineRun& engine_run, const LeftBehind& left);

/// Takes the model's time away where no kernel can have it (physical_floor.h).
void refuse_impossible_model(EngineRun& engine_run, const Model& model, const Ceilings& ceilings);

}  // namespace opbench
