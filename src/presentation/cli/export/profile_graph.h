#pragma once

#include <string>

#include "base/errors/error.h"
#include "measuring/results/profile_result.h"
#include "model/graph/graph.h"

namespace opbench {

/// The graph of the model that a profile is of: of the file `given`, else of the built-in model or
/// file that the profile names. Weights have no values. `kInvalidInput`: the profile is of a single
/// workload, the file cannot be read, or its content is another than the profile's.
Result<Graph> graph_of_profile(const ProfileResult& profile, const std::string& given);

}  // namespace opbench
