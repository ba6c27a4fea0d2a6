#include "machine/settings/cpufreq_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"

namespace opbench {
namespace {

constexpr int64_t kKhzOfMhz = 1000;

/// Megahertz of the file's kilohertz.
std::optional<int64_t> mhz_in(const SettingFiles& files, const std::string& path) {
  const auto text = files.read(path);
  const auto khz = text ? parse_integer(*text) : std::nullopt;
  if (!khz || *khz <= 0) return {};
  return *khz / kKhzOfMhz;
}

}  // namespace

std::vector<std::string> cpufreq_policies(const SettingFiles& files) {
  return files.entries("sys/devices/system/cpu/cpufreq", "policy");
}

std::string no_cpufreq_reason() {
  return "the kernel offers no frequency control here; a virtual machine leaves it to its host";
}

std::string why_policies_unwritable(const SettingFiles& files, const std::string& file) {
  for (const std::string& policy : cpufreq_policies(files)) {
    std::string reason = files.why_unwritable(policy + "/" + file);
    if (!reason.empty()) return reason;
  }
  return "";
}

Result<std::string> text_of_policies(const SettingFiles& files, const std::string& file) {
  std::set<std::string> texts;
  for (const std::string& policy : cpufreq_policies(files)) {
    OPBENCH_TRY(std::string text, files.read(policy + "/" + file));
    texts.insert(std::move(text));
  }
  return join({texts.begin(), texts.end()});
}

Result<std::vector<SettingStep>> policy_steps(const SettingFiles& files, const std::string& file,
                                              const std::string& text) {
  std::vector<SettingStep> steps;
  for (const std::string& policy : cpufreq_policies(files)) {
    SettingStep step{.path = policy + "/" + file, .after = text};
    OPBENCH_TRY(step.before, files.read(step.path));
    steps.push_back(std::move(step));
  }
  return steps;
}

SettingState mhz_state(const SettingFiles& files, const std::string& file) {
  SettingState state;
  const std::vector<std::string> policies = cpufreq_policies(files);
  if (policies.empty()) {
    state.reason = no_cpufreq_reason();
    return state;
  }
  std::set<int64_t> values;
  int64_t low = 0, high = 0;
  for (const std::string& policy : policies) {
    const auto value = mhz_in(files, policy + "/" + file);
    const auto least = mhz_in(files, policy + "/cpuinfo_min_freq");
    const auto most = mhz_in(files, policy + "/cpuinfo_max_freq");
    if (!value || !least || !most) {
      state.reason =
          fmt::format("\"{}\" does not tell {} and its limits", files.place(policy).string(), file);
      return state;
    }
    values.insert(*value);
    low = low == 0 ? *least : std::max(low, *least);
    high = high == 0 ? *most : std::min(high, *most);
  }
  std::vector<std::string> texts;
  for (const int64_t value : values) texts.push_back(std::to_string(value));
  state.value = join(texts);
  state.range = {.low = low, .high = high, .unit = "MHz"};
  state.reason = why_policies_unwritable(files, file);
  return state;
}

Result<std::vector<SettingStep>> mhz_steps(const SettingFiles& files, const std::string& file,
                                           const std::string& mhz) {
  const int64_t khz = parse_integer(mhz).value_or(0) * kKhzOfMhz;
  return policy_steps(files, file, std::to_string(khz));
}

}  // namespace opbench
