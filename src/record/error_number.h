#pragma once

#include "base/failure.h"

namespace opbench {

/// AutoTVM's number of a failure, 1 to 8 (spec/search-space.md 5.3).
int error_number(FailureKind kind);

}  // namespace opbench
