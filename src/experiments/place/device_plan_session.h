#pragma once

#include "base/errors/error.h"
#include "experiments/place/place_session.h"

namespace opbench {

/// Times the model on the devices, and plans and runs it on both. `kInvalidInput` where they run no
/// model together; errors of run_place.
Result<PlaceResult> run_device_plan(const PlaceRequest& request);

}  // namespace opbench
