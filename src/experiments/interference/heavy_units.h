#pragma once

#include <string>
#include <vector>

#include "experiments/interference/corun_client.h"
#include "experiments/sessions/session.h"
#include "prediction/interference/interference_result.h"

namespace opbench {

/// The units of one subject that carry most of its time, at most `count`: equal units are one, by
/// the sum of their times inside the model; those whose check failed are left out. `seconds`: of
/// each of the engine run's units. Adds where an engine finds them to `steps`. Keys are not set.
std::vector<InterferenceUnit> heavy_units(Session& session, size_t subject,
                                          const std::vector<double>& seconds, size_t count,
                                          std::vector<PreparedStep>& steps);

/// A, B, … Z, AA, AB, …
std::string unit_key(size_t index);

}  // namespace opbench
