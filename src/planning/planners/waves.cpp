#include "planning/planners/waves.h"

#include <algorithm>

namespace opbench {

std::vector<std::vector<int>> waves_of(const UnitGraph& graph) {
  std::vector<std::vector<int>> waves;
  std::vector<size_t> level(graph.size(), 0);
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.units[i].needs) {
      level[i] = std::max(level[i], level[static_cast<size_t>(need.unit)] + 1);
    }
    if (level[i] >= waves.size()) waves.resize(level[i] + 1);
    waves[level[i]].push_back(static_cast<int>(i));
  }
  return waves;
}

}  // namespace opbench
