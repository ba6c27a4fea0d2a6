#include "machine/settings/setting.h"

namespace opbench {
namespace {

constexpr const char* kBoostFile = "sys/devices/system/cpu/cpufreq/boost";
constexpr const char* kNoTurboFile = "sys/devices/system/cpu/intel_pstate/no_turbo";

/// The file that switches it, and what it holds where turbo is on.
struct TurboSwitch {
  std::string path, text, on;
};

Result<TurboSwitch> turbo_switch(const SettingFiles& files) {
  for (TurboSwitch found : {TurboSwitch{kNoTurboFile, "", "0"}, TurboSwitch{kBoostFile, "", "1"}}) {
    const auto text = files.read(found.path);
    if (!text && text.error().code != ErrorCode::kNoMatch) return Error(text.error());
    if (!text) continue;
    found.text = *text;
    return found;
  }
  return Error{ErrorCode::kNoMatch,
               "the frequency driver has no switch for turbo here (no_turbo, boost)"};
}

SettingState find_turbo(const SettingPlace& place) {
  SettingState state;
  const auto found = turbo_switch(place.files);
  if (!found) {
    state.reason = found.error().message;
    return state;
  }
  if (found->text != "0" && found->text != "1") {
    state.reason =
        "\"" + place.files.place(found->path).string() + "\" says \"" + found->text + "\"";
    return state;
  }
  state.value = found->text == found->on ? "on" : "off";
  state.range.words = {"on", "off"};
  state.reason = place.files.why_unwritable(found->path);
  return state;
}

Result<std::vector<SettingStep>> turbo_steps(const SettingPlace& place, const std::string& value) {
  OPBENCH_TRY(const TurboSwitch found, turbo_switch(place.files));
  const bool is_one = (value == "on") == (found.on == "1");
  return std::vector<SettingStep>{
      {.path = found.path, .before = found.text, .after = is_one ? "1" : "0"}};
}

}  // namespace

SettingDef cpu_turbo_setting() {
  return {.name = "cpu.turbo",
          .summary = "clocks above the nominal one, as long as heat and power allow",
          .set_by = "--over cpu.turbo=on,off",
          .find = find_turbo,
          .steps = turbo_steps};
}

}  // namespace opbench
