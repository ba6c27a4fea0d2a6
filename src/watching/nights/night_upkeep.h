#pragma once

#include "watching/nights/night_state.h"

namespace opbench {

/// Counts the nights without a result, row by row. A night that has less than four fifths of its
/// rows is partial, and says nothing of the others.
void count_missing(WatchState& state);

/// Counts nights in a row whose suspicions hardly overlap (Jaccard below 0.2) with those of the
/// night before, of the questions that both nights looked at; nights with few of them say nothing.
void judge_noise(WatchState& state);

/// Confirmed groups whose level is still there after `WatchOptions::settled_nights` are settled.
void settle_groups(WatchState& state, const WatchOptions& options);

}  // namespace opbench
