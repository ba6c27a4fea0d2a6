#pragma once

#include <string>
#include <vector>

#include "measuring/results/unit_error.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// The units in execution order: error from the double-precision reference, what is allowed.
TextTable error_table(const std::vector<UnitError>& errors);

/// `first unit beyond what is allowed: 3, conv2d (conv_3)`, or that there is none.
std::string first_beyond_line(const std::vector<UnitError>& errors);

}  // namespace opbench
