#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/check/check.h"
#include "measuring/results/unit_error.h"

namespace opbench {

/// How the unit of that number is run by itself.
struct UnitAccess {
  PreparationCall call;
  std::optional<int> unit_id;  ///< its number inside what is prepared; nothing: all of it
};

/// Runs every unit on the values of `expected`, in execution order, and sets its results against
/// the operators' references in double precision, from the same operands. A unit that cannot be
/// compared has a reason. `progress`: before each unit; may be empty.
std::vector<UnitError> unit_errors(const std::vector<PreparedUnit>& units,
                                   const std::function<UnitAccess(size_t unit)>& access,
                                   const Expected& expected,
                                   const std::function<void(size_t unit)>& progress = {});

}  // namespace opbench
