#include "experiments/sessions/engine_run.h"

#include <map>

namespace opbench {
namespace {

std::string unit_key_of(const PreparedUnit& unit) {
  std::string key =
      unit.identity.workload ? text_of(*unit.identity.workload) : unit.identity.operator_text;
  key += "|" + unit.identity.schedule + "|" + unit.identity.origin;
  for (const int block : unit.identity.blocks) key += "|" + std::to_string(block);
  return key;
}

}  // namespace

std::vector<UnitGroup> group_units(const std::vector<PreparedUnit>& units) {
  std::vector<UnitGroup> groups;
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < units.size(); ++i) {
    const auto [place, is_new] = known.emplace(unit_key_of(units[i]), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].members.push_back(i);
  }
  return groups;
}

}  // namespace opbench
