#pragma once

#include "experiments/sessions/request/measure_options.h"
#include "measuring/sampling/noise.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// What the options and the noise before a run say of sampling. Budget and processes are the
/// caller's.
SamplingOptions sampling_options(const MeasureOptions& measure, uint64_t seed,
                                 const Preflight& preflight);

}  // namespace opbench
