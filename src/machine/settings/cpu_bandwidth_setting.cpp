#include <algorithm>
#include <optional>

#include "base/numbers/number.h"
#include "machine/settings/resctrl_group.h"

namespace opbench {
namespace {

constexpr const char* kBandwidth = "MB";

std::optional<int64_t> share_of(const std::string& text) { return parse_integer(text); }

SettingState find_bandwidth(const SettingPlace& place) {
  constexpr int64_t kAll = 100;
  SettingState state;
  state.reason = why_no_resctrl(place.files, kBandwidth, "mba");
  const auto number_in = [&](const char* file) {
    const auto text = resctrl_info(place.files, kBandwidth, file);
    return text ? parse_integer(*text) : std::nullopt;
  };
  const auto least = number_in("min_bandwidth");
  const auto share = least_of(schemata_of(place.files, all_resctrl_group(), kBandwidth), share_of);
  if (!least || !share) {
    if (state.reason.empty()) state.reason = "resctrl does not tell the shares of bandwidth";
    return state;
  }
  if (*share > kAll) {
    state.reason = "resctrl counts bandwidth in MB/s here (mounted with mba_MBps)";
    return state;
  }
  state.value = std::to_string(*share);
  state.range = {.low = *least,
                 .high = kAll,
                 .step = std::max<int64_t>(number_in("bandwidth_gran").value_or(1), 1),
                 .unit = "%"};
  return state;
}

Result<std::vector<SettingStep>> bandwidth_steps(const SettingPlace& place,
                                                 const std::string& value) {
  return resctrl_steps(place, kBandwidth, value);
}

std::optional<std::string> taken_bandwidth(const SettingFiles& files,
                                           const std::vector<SettingStep>& steps) {
  const auto share = least_of(taken_schemata(files, steps, kBandwidth), share_of);
  if (!share) return {};
  return std::to_string(*share);
}

}  // namespace

SettingDef cpu_bandwidth_setting() {
  return {.name = "cpu.bandwidth",
          .summary = "share of the memory bandwidth that each core of the run may take",
          .set_by = "--over cpu.bandwidth=N,N",
          .find = find_bandwidth,
          .steps = bandwidth_steps,
          .taken = taken_bandwidth};
}

}  // namespace opbench
