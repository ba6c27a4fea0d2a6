#include "experiments/together/config_list.h"

#include <algorithm>

namespace opbench {
namespace {

bool is_as_good(const UnitConfig& a, const UnitConfig& b) {
  return a.one_ms <= b.one_ms && a.resident_bytes <= b.resident_bytes &&
         a.dram_bytes <= b.dram_bytes;
}

/// Of two that are equal in all, the first beats the second.
bool beats(const std::vector<UnitConfig>& configs, size_t a, size_t b) {
  return is_as_good(configs[a], configs[b]) && (a < b || !is_as_good(configs[b], configs[a]));
}

}  // namespace

std::vector<UnitConfig> pareto_list(const std::vector<UnitConfig>& configs, size_t most) {
  std::vector<UnitConfig> list;
  for (size_t i = 0; i < configs.size(); ++i) {
    bool is_beaten = false;
    for (size_t j = 0; j < configs.size(); ++j) is_beaten |= j != i && beats(configs, j, i);
    if (!is_beaten) list.push_back(configs[i]);
  }
  std::ranges::stable_sort(list, {}, &UnitConfig::one_ms);
  if (list.size() <= most) return list;
  // Of those on the list less time means more bytes: the last are the most frugal.
  list.erase(list.begin() + 1, list.end() - static_cast<std::ptrdiff_t>(most - 1));
  return list;
}

}  // namespace opbench
