#pragma once

#include "experiments/sessions/lane.h"
#include "machine/ceilings/ceilings.h"

namespace opbench {

/// Keeps what the engine's processes hold after they were measured, with a warning where that is
/// more than before: threads that go on after a reply compute what the next one claims, and memory
/// that grows holds what was computed before.
void note_left_behind(Lane& lane, const LeftBehind& left);

/// Takes the model's time away where no kernel can have it (physical_floor.h).
void refuse_impossible_model(Lane& lane, const Model& model, const Ceilings& ceilings);

}  // namespace opbench
