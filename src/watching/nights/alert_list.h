#pragma once

#include "watching/nights/night_state.h"
#include "watching/series/alert.h"

namespace opbench {

/// What a state comes to: an alert for each group that is confirmed or still suspected, missing
/// results, notes. `has_pairs`: paired runs could be asked for.
RegressReport report_of(const WatchState& state, const WatchOptions& options, bool has_pairs);

}  // namespace opbench
