#include "machine/settings/cpufreq_policies.h"

namespace opbench {
namespace {

SettingState find_mhz_min(const SettingPlace& place) {
  return mhz_state(place.files, "scaling_min_freq");
}

Result<std::vector<SettingStep>> mhz_min_steps(const SettingPlace& place,
                                               const std::string& value) {
  return mhz_steps(place.files, "scaling_min_freq", value);
}

}  // namespace

SettingDef cpu_mhz_min_setting() {
  return {.name = "cpu.mhz_min",
          .summary = "the lowest clock that the governor may choose",
          .set_by = "--over cpu.mhz_min=MHZ,MHZ",
          .find = find_mhz_min,
          .steps = mhz_min_steps};
}

}  // namespace opbench
