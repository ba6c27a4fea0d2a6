#include "machine/settings/setting.h"

namespace opbench {
namespace {

SettingState find_threads(const SettingPlace& place) {
  SettingState state;
  if (place.cpus.empty()) {
    state.reason = "the system does not say on which CPUs this process may run";
    return state;
  }
  state.value = "1";
  state.range = {.low = 1, .high = static_cast<int64_t>(place.cpus.size())};
  return state;
}

}  // namespace

SettingDef threads_setting() {
  return {.name = "threads",
          .summary = "threads of a call, each on a CPU of its own; 1 unless a run asks for more",
          .set_by = "--threads N; --over threads=N,N",
          .find = find_threads};
}

}  // namespace opbench
