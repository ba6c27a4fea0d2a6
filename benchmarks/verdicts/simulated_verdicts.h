#pragma once

#include <cstdint>

#include "benchmarks/common/benchmark.h"

namespace opbench {

/// The bars of `./dev bench verdicts` on a simulated machine, the same for one number of trials;
/// beside each, as notes, sequential runs of as many repeats with Welch's test.
Result<void> add_simulated_verdicts(int64_t trials, Report& report);

}  // namespace opbench
