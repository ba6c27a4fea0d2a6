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

/// All that a report says: single samples, the time to compile and hashes of code are not in it.
/// The rest is as in an empty result, and so is what a report of another version lacks.
ProfileResult profile_of(const Json& report);

}  // namespace opbench
