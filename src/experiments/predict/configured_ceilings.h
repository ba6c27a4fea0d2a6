#pragma once

#include <filesystem>

#include "machine/ceilings/ceilings.h"
#include "prediction/predict/configuration.h"

namespace opbench {

/// The CPUs of a configuration: of its threads, then of its neighbour if it has one. choose_cpus'
/// errors.
Result<std::vector<int>> cpus_of(const Configuration& configuration);

/// What this machine can do at most in a configuration: loops of its instruction set, with its
/// neighbour at work. From `folder` when that was measured before, else measured now, in a few
/// seconds, and kept there. `kInvalidInput` for more threads than CPUs, or a neighbour without a
/// CPU of its own; as measure_ceilings.
Result<Ceilings> configured_ceilings(const Configuration& configuration,
                                     const std::filesystem::path& folder);

}  // namespace opbench
