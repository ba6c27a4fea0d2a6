#pragma once

#include "base/errors/failure.h"
#include "base/system/seconds.h"

namespace opbench {

/// A time limit times $OPBENCH_TIME_LIMITS, for machines on which all takes longer and for tests of
/// what hangs. kRunError where that is no number above 0.
Outcome<Seconds> scaled_limit(Seconds limit);

}  // namespace opbench
