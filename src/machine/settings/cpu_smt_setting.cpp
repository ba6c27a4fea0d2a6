#include "machine/settings/setting.h"

namespace opbench {
namespace {

constexpr const char* kSmtFile = "sys/devices/system/cpu/smt/control";

SettingState find_smt(const SettingPlace& place) {
  SettingState state;
  const auto text = place.files.read(kSmtFile);
  if (!text) {
    state.reason = text.error().code == ErrorCode::kNoMatch ? "the kernel has no switch for SMT"
                                                            : text.error().message;
    return state;
  }
  if (*text == "notsupported" || *text == "notimplemented") {
    state.reason =
        "a core has one thread here, or the kernel cannot switch the others (" + *text + ")";
    return state;
  }
  state.value = *text == "on" ? "on" : "off";
  state.range.words = {"on", "off"};
  state.reason = *text == "forceoff" ? "switched off until the next boot (forceoff)"
                                     : place.files.why_unwritable(kSmtFile);
  return state;
}

Result<std::vector<SettingStep>> smt_steps(const SettingPlace& place, const std::string& value) {
  OPBENCH_TRY(std::string before, place.files.read(kSmtFile));
  return std::vector<SettingStep>{{.path = kSmtFile, .before = std::move(before), .after = value}};
}

}  // namespace

SettingDef cpu_smt_setting() {
  return {.name = "cpu.smt",
          .summary = "several threads a core; without --cpus a run takes one CPU a core first",
          .set_by = "--over cpu.smt=on,off; --cpus LIST",
          .find = find_smt,
          .steps = smt_steps};
}

}  // namespace opbench
