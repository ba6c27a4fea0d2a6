#pragma once

#include <optional>

#include "measuring/results/profile_result.h"
#include "measuring/results/statistics.h"

namespace opbench {

/// The 95 % interval of a time, in milliseconds. Nothing where a single sample has given it: one
/// value does not tell how far others would lie from it. Equal bounds are an interval only where
/// several samples are equal.
std::optional<Interval> interval_of(const Measurement& time);

/// Why there is none, for reports.
constexpr const char* kNoInterval = "one sample gives no interval";

}  // namespace opbench
