#pragma once

#include <set>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// Makes a constant of every input that says the total_sequence_length of GroupQueryAttention and
/// is not among the `given` ones: as many steps as its cache and its query have. A seeded number
/// would not fit them. Returns the inputs that it made constants.
Result<std::set<std::string>> fix_total_lengths(Model& model, const std::set<std::string>& given);

}  // namespace opbench
