#include "machine/settings/cpufreq_policies.h"

namespace opbench {
namespace {

SettingState find_mhz_max(const SettingPlace& place) {
  return mhz_state(place.files, "scaling_max_freq");
}

Result<std::vector<SettingStep>> mhz_max_steps(const SettingPlace& place,
                                               const std::string& value) {
  return mhz_steps(place.files, "scaling_max_freq", value);
}

}  // namespace

SettingDef cpu_mhz_max_setting() {
  return {.name = "cpu.mhz_max",
          .summary = "the highest clock that the governor may choose",
          .set_by = "--over cpu.mhz_max=MHZ,MHZ",
          .find = find_mhz_max,
          .steps = mhz_max_steps};
}

}  // namespace opbench
