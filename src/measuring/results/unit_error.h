#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// How far one unit's result is from the double-precision reference, computed from the same
/// operands.
struct UnitError {
  size_t unit = 0;  ///< its place in execution order
  UnitIdentity identity;
  std::string value;                     ///< of the graph: the result that is furthest off
  std::optional<double> error, allowed;  ///< ExactError; nothing: not compared
  std::string reason;                    ///< why not, or what says more than the error
  bool exceeds() const { return error && !(*error <= allowed.value_or(0)); }
};

/// The first unit that is further off than is allowed; nothing: none is.
inline const UnitError* first_beyond(const std::vector<UnitError>& errors) {
  for (const UnitError& each : errors) {
    if (each.exceeds()) return &each;
  }
  return nullptr;
}

}  // namespace opbench
