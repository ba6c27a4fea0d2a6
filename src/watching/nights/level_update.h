#pragma once

#include "watching/nights/night_state.h"

namespace opbench {

/// Appends tonight's rows to the state: their levels without the common move, carried over a new
/// environment or method, and the noise and share of each row. The night's facts are the last of
/// `state.nights` already, its series are known.
void append_levels(WatchState& state, const Night& night);

/// The standard deviation of a row's level from night to night.
double noise_of(const WatchedRow& row);

}  // namespace opbench
