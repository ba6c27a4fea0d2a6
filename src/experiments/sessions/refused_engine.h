#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// The result of an engine that cannot run the model, beside those that can: no times, and the
/// error with its first facts as the reason.
EngineResult refused_result(const std::string& engine, int threads, const std::vector<int>& cpus,
                            const Error& refusal);

}  // namespace opbench
