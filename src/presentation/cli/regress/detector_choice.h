#pragma once

#include <string>

#include "base/errors/error.h"
#include "watching/series/history.h"

namespace opbench {

/// The detector that was asked for; for an empty name the one that the history has what it needs
/// for. `kInvalidInput` for an unknown one, and for one that needs hashes where there are none.
Result<std::string> detector_for(const std::string& asked, const History& history);

}  // namespace opbench
