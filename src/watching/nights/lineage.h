#pragma once

#include "watching/nights/night_state.h"

namespace opbench {

/// Gives units that fusion renamed, merged or split a history, by the ONNX nodes that they cover:
/// before tonight's levels are appended.
void inherit_history(WatchState& state, const Night& night);

}  // namespace opbench
