#pragma once

#include "experiments/sessions/profile_request.h"
#include "measuring/sampling/noise.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// What the request and the noise before it say of sampling. Budget and processes are the caller's.
SamplingOptions sampling_options(const ProfileRequest& request, const Preflight& preflight);

}  // namespace opbench
