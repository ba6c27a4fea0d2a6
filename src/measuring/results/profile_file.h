#pragma once

#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// profile_of a file's content. `kInvalidInput`: it is another report, of another version, or of
/// several models, or its engines are no list of objects with units. `what` names it.
Result<ProfileResult> parse_profile(const Json& report, const std::string& what);

}  // namespace opbench
