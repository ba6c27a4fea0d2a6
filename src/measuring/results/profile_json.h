#pragma once

#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

inline constexpr const char* kProfileSchema = "opbench.profile/1";

/// The report `opbench.profile/1`: stable; fields may be added, readers ignore those they do not
/// know. Units stand in the names, numbers are numbers, and what is not known is null with
/// `<field>_reason` beside it.
Json profile_json(const ProfileResult& result);

/// Whether it says that it is such a report.
bool is_profile(const Json& json);

/// What others ask of a report: model, sha256, run_id, scope and findings; of an engine its name,
/// threads, units, and of its model end_to_end (median, q1 and q3) and inconclusive; of a unit
/// workload, schedule, layouts, in_place_ms and the times of its occurrences. The rest is as in an
/// empty result, and so is what a report of another version lacks.
ProfileResult profile_of(const Json& report);

}  // namespace opbench
