#pragma once

#include "base/errors/error.h"
#include "watching/nights/night_state.h"

namespace opbench {

/// Where tonight begins a new environment or method, rows that were built again in the same night
/// have no history to stand beside: a few pairs each, once, say whether to ask. The rows whose
/// levels moved most come first.
Result<void> probe_boundary(WatchState& state, const WatchOptions& options,
                            const DetectorDef& detector, const PairSource& source);

}  // namespace opbench
