#pragma once

#include "base/errors/error.h"
#include "watching/nights/night_state.h"
#include "watching/series/alert.h"
#include "watching/series/paired_runs.h"

namespace opbench {

/// One more night. `series` are all of the history so far: those known before stand first.
/// `kInvalidInput` for an unknown detector, and what `source` fails with. Without a source nothing
/// is confirmed.
Result<void> analyse_night(WatchState& state, const std::vector<Series>& series, const Night& night,
                           const WatchOptions& options, const PairSource& source);

/// Night by night, without looking ahead.
Result<WatchState> analyse_history(const History& history, const WatchOptions& options,
                                   const PairSource& source);

}  // namespace opbench
