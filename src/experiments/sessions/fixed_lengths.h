#pragma once

#include "experiments/sessions/profile_request.h"
#include "experiments/sessions/requested_model.h"

namespace opbench {

/// Makes a constant of every input that says the total_sequence_length of GroupQueryAttention,
/// where the request gives it no value: as many steps as its cache and its query have. A seeded
/// number would not fit them.
Result<void> fix_total_lengths(const ProfileRequest& request, RequestedModel& model);

}  // namespace opbench
