#include <algorithm>

#include "base/errors/suggestion.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

SettingState find_core_type(const SettingPlace&) {
  SettingState state;
  std::vector<std::string>& kinds = state.range.words;
  const Topology topology = SettingPlace::topology();
  for (const Core& core : topology.cores) {
    const bool is_new = std::ranges::find(kinds, core.kind) == kinds.end();
    if (!core.kind.empty() && is_new) kinds.push_back(core.kind);
  }
  if (kinds.size() < 2) {
    kinds.clear();
    state.reason = "all cores are alike";
    return state;
  }
  state.value = join(kinds);
  return state;
}

}  // namespace

SettingDef cpu_core_type_setting() {
  return {.name = "cpu.core_type",
          .summary = "kinds of cores; without --cpus a run takes the fastest first",
          .set_by = "--cpus LIST",
          .find = find_core_type};
}

}  // namespace opbench
