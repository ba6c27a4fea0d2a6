#pragma once

#include <vector>

#include "engines/onednn/primitive_candidate.h"

namespace opbench {

/// The candidates of which the first is oneDNN's own choice, and marked so. Left out are others
/// that are the same kernel on the same layouts, and its plain loops.
std::vector<Candidate> own_choice_first(std::vector<Candidate> candidates);

}  // namespace opbench
