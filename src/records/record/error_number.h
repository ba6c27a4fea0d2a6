#pragma once

#include "base/errors/failure.h"

namespace opbench {

/// AutoTVM's number of a failure, 1 to 8 (docs/reference/formats.md, "Results and error numbers").
int error_number(FailureKind kind);

}  // namespace opbench
