#include "prediction/interference/interference_result.h"

#include <algorithm>

namespace opbench {

size_t probe_of(const std::vector<InterferenceLevel>& levels) {
  const auto probe = std::ranges::find(levels, true, &InterferenceLevel::is_probe);
  return static_cast<size_t>(probe - levels.begin());
}

std::optional<Slowdown> InterferenceResult::pressure_of(size_t unit) const {
  return beside.at(unit).at(probe_of(levels)).slowdowns[1];
}

}  // namespace opbench
