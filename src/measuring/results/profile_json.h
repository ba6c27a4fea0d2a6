#pragma once

#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// The report `opbench.profile/1`: stable; fields may be added, readers ignore those they do not
/// know. Units stand in the names, numbers are numbers, and what is not known is null with
/// `<field>_reason` beside it.
Json profile_json(const ProfileResult& result);

}  // namespace opbench
