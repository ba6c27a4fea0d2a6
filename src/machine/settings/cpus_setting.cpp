#include "machine/facts/cpu_list.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

SettingState find_cpus(const SettingPlace& place) {
  SettingState state;
  if (place.cpus.empty()) {
    state.reason = "the system does not say on which CPUs this process may run";
    return state;
  }
  state.value = cpu_list_text(place.cpus);
  for (const int cpu : place.cpus) state.range.words.push_back(std::to_string(cpu));
  if (place.cpus.size() == 1) state.reason = "one CPU: nothing to choose";
  return state;
}

}  // namespace

SettingDef cpus_setting() {
  return {.name = "cpus",
          .summary = "CPUs that threads are pinned to",
          .set_by = "--cpus LIST",
          .find = find_cpus};
}

}  // namespace opbench
