#pragma once

#include "engines/onednn/candidate_plan.h"

namespace opbench {

/// Adds oneDNN's transposed convolution to the plan, or why it refuses.
void add_deconvolution(Plan& plan);

}  // namespace opbench
