#pragma once

#include <optional>

#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// A sample as engines send it: `{"wall_s", "clock", "cpu_s", "involuntary_switches", "waited_s",
/// "minor_faults", "cpu", "migrated"}`, of which all but `wall_s` may be absent or null. Nothing
/// without a positive time, or from a clock that has no name.
std::optional<Sample> parse_sample(const Json& entry);

}  // namespace opbench
