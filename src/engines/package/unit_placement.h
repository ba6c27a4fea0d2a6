#pragma once

#include <map>
#include <string>
#include <vector>

#include "engines/runtime/program.h"
#include "machine/target/target.h"
#include "model/passes/passes.h"

namespace opbench {

/// Which units of a model run on the host beside a device, with kernels of their own. Without
/// scopes: those alone that have no kernel for the device, as their operators' references.
struct UnitPlacement {
  Target host;                                ///< that kernels of units on the host are for
  std::map<std::string, MemoryScope> scopes;  ///< by the value that a unit makes
  std::vector<std::string> order;  ///< of such values: the order in which each side runs its units
  bool operator==(const UnitPlacement&) const = default;

  bool is_given() const { return !scopes.empty(); }
  bool is_on_host(const std::string& value) const;
  /// What the kernel of the unit that makes this value is for.
  const Target& target_of(const std::string& value, const Target& device) const {
    return is_on_host(value) ? host : device;
  }
};

/// The placement with a side for every unit. A unit without one, such as a concatenation that is
/// made in place elsewhere, runs where the first unit runs that reads it; else where the last one
/// runs that it reads.
UnitPlacement with_all_sides(UnitPlacement placement, const std::vector<Unit>& units);

}  // namespace opbench
