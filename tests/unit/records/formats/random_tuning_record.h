#pragma once

#include "base/numbers/random.h"
#include "records/record/tuning_record.h"

namespace opbench {

/// A record with anything that logs hold, odd values among it.
TuningRecord random_tuning_record(Random& random);

}  // namespace opbench
