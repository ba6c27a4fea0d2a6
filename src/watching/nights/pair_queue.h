#pragma once

#include "base/errors/error.h"
#include "watching/nights/night_state.h"

namespace opbench {

/// Tonight's paired runs: the largest change beside its row's noise first, within the limits of a
/// night and of a group. Says of questions what they came to, confirms groups, and begins a new
/// level in the rows that changed.
Result<void> run_pairs(WatchState& state, const WatchOptions& options, const DetectorDef& detector,
                       const PairSource& source);

/// Whether a question belongs to what its group confirmed: a paired run said so, or the nights do
/// with `WatchOptions::joins`, in the direction and of about the size of one that a paired run
/// confirmed.
bool is_confirmed(const WatchState& state, const WatchOptions& options, const Question& question);

}  // namespace opbench
