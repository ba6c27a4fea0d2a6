#include <iterator>

#include "base/numbers/number.h"
#include "machine/settings/cpufreq_policies.h"

namespace opbench {
namespace {

constexpr const char* kLowestClock = "scaling_min_freq";
constexpr const char* kHighestClock = "scaling_max_freq";

/// Both limits together: `800` where they are equal, else from where to where.
SettingState find_mhz(const SettingPlace& place) {
  const SettingState low = mhz_state(place.files, kLowestClock);
  SettingState state = mhz_state(place.files, kHighestClock);
  if (!low.value || !state.value) return low.value ? state : low;
  if (low.value != state.value) state.value = *low.value + " to " + *state.value;
  if (!low.is_settable()) state.reason = low.reason;
  return state;
}

/// The kernel refuses a lower limit above the upper one: the one that moves away goes first. The
/// steps are undone in the reverse order, which is right for the way back.
Result<std::vector<SettingStep>> mhz_both_steps(const SettingPlace& place,
                                                const std::string& value) {
  OPBENCH_TRY(std::vector<SettingStep> low, mhz_steps(place.files, kLowestClock, value));
  OPBENCH_TRY(std::vector<SettingStep> high, mhz_steps(place.files, kHighestClock, value));
  std::vector<SettingStep> steps;
  for (size_t i = 0; i < low.size() && i < high.size(); ++i) {
    const bool rises = parse_integer(high[i].after) > parse_integer(high[i].before);
    steps.push_back(rises ? high[i] : low[i]);
    steps.push_back(rises ? low[i] : high[i]);
  }
  return steps;
}

}  // namespace

SettingDef cpu_mhz_setting() {
  return {.name = "cpu.mhz",
          .summary = "the clock: its lowest and highest limit are both set to it",
          .set_by = "--over cpu.mhz=MHZ,MHZ",
          .parts = {"cpu.mhz_min", "cpu.mhz_max"},
          .find = find_mhz,
          .steps = mhz_both_steps};
}

}  // namespace opbench
