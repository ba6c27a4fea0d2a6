#pragma once

#include <cstdint>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// The measurement that samples give: estimate_over_groups of the usable times of each process,
/// in milliseconds a call; quartiles, spread and dropped counts over the same. `steady` is false if
/// some process had fewer than three clean samples. `number`, `stop_reason` and the warm-up part of
/// `steady` are left to the caller. Zero times if no sample is usable.
Measurement estimate(std::vector<Sample> samples, uint64_t seed);

/// Half the interval over the median; infinity without a median.
double relative_half_width(const Measurement& measurement);

}  // namespace opbench
