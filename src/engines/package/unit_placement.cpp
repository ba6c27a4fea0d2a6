#include "engines/package/unit_placement.h"

#include <algorithm>

namespace opbench {

bool UnitPlacement::is_on_host(const std::string& value) const {
  const auto found = scopes.find(value);
  return found != scopes.end() && found->second == MemoryScope::kHost;
}

UnitPlacement with_all_sides(UnitPlacement placement, const std::vector<Unit>& units) {
  if (!placement.is_given()) return placement;
  std::map<std::string, MemoryScope>& scopes = placement.scopes;
  for (size_t i = units.size(); i-- > 0;) {
    if (scopes.contains(units[i].output)) continue;
    for (size_t reader = i + 1; reader < units.size(); ++reader) {
      if (std::ranges::count(units[reader].operands, units[i].output) == 0) continue;
      scopes[units[i].output] = scopes.at(units[reader].output);
      break;
    }
    for (const std::string& operand : units[i].operands) {
      if (scopes.contains(units[i].output)) break;
      const auto maker = scopes.find(operand);
      if (maker != scopes.end()) scopes[units[i].output] = maker->second;
    }
    scopes.emplace(units[i].output, MemoryScope::kHost);
  }
  return placement;
}

}  // namespace opbench
