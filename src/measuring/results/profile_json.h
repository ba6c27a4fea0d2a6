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

/// The reverse: all that the report tells. As in an empty result stay the request, percentiles,
/// errors of units, and what a report of another version lacks. Of samples only the clean ones are
/// there.
ProfileResult profile_of(const Json& report);

}  // namespace opbench
