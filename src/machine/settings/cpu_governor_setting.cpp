#include <algorithm>
#include <sstream>

#include "machine/settings/cpufreq_policies.h"

namespace opbench {
namespace {

constexpr const char* kGovernorFile = "scaling_governor";

/// Those that every policy offers, in the order of the first.
std::vector<std::string> governors_of(const SettingFiles& files) {
  std::vector<std::string> common;
  bool is_first = true;
  for (const std::string& policy : cpufreq_policies(files)) {
    std::istringstream words(files.read(policy + "/scaling_available_governors").value_or(""));
    std::vector<std::string> offered;
    for (std::string word; words >> word;) offered.push_back(word);
    if (is_first) common = offered;
    std::erase_if(common, [&](const std::string& word) {
      return std::ranges::find(offered, word) == offered.end();
    });
    is_first = false;
  }
  return common;
}

SettingState find_governor(const SettingPlace& place) {
  SettingState state;
  if (cpufreq_policies(place.files).empty()) {
    state.reason = no_cpufreq_reason();
    return state;
  }
  const auto text = text_of_policies(place.files, kGovernorFile);
  if (!text) {
    state.reason = text.error().message;
    return state;
  }
  state.value = *text;
  state.range.words = governors_of(place.files);
  state.reason = why_policies_unwritable(place.files, kGovernorFile);
  if (state.range.words.empty()) state.reason = "the policies offer no governor in common";
  return state;
}

Result<std::vector<SettingStep>> governor_steps(const SettingPlace& place,
                                                const std::string& value) {
  return policy_steps(place.files, kGovernorFile, value);
}

}  // namespace

SettingDef cpu_governor_setting() {
  return {.name = "cpu.governor",
          .summary = "who chooses the clock of the CPUs",
          .set_by = "--over cpu.governor=V,V",
          .find = find_governor,
          .steps = governor_steps};
}

}  // namespace opbench
