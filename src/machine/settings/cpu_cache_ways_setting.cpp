#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/numbers/number.h"
#include "machine/settings/resctrl_group.h"

namespace opbench {
namespace {

/// How many ways a mask in hexadecimal digits has.
std::optional<int64_t> ways_of(const std::string& text) {
  uint64_t mask = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return std::popcount(mask);
}

/// The last level that can be shared out.
std::string level_of(const SettingFiles& files) {
  const bool has_l3 = resctrl_info(files, "L3", "cbm_mask").has_value();
  return !has_l3 && resctrl_info(files, "L2", "cbm_mask") ? "L2" : "L3";
}

SettingState find_cache_ways(const SettingPlace& place) {
  SettingState state;
  const std::string level = level_of(place.files);
  state.reason = why_no_resctrl(place.files, level, level == "L3" ? "cat_l3" : "cat_l2");
  const auto all = resctrl_info(place.files, level, "cbm_mask");
  const auto most = all ? ways_of(*all) : std::nullopt;
  const auto ways = least_of(schemata_of(place.files, all_resctrl_group(), level), ways_of);
  if (!most || !ways) {
    if (state.reason.empty()) state.reason = "resctrl does not tell the ways of " + level;
    return state;
  }
  const auto least = resctrl_info(place.files, level, "min_cbm_bits");
  state.value = std::to_string(*ways);
  state.range = {.low = least ? parse_integer(*least).value_or(1) : 1,
                 .high = *most,
                 .unit = "ways of " + level};
  return state;
}

Result<std::vector<SettingStep>> cache_ways_steps(const SettingPlace& place,
                                                  const std::string& value) {
  constexpr int64_t kMostWays = 63;
  const int64_t ways = std::clamp<int64_t>(parse_integer(value).value_or(1), 1, kMostWays);
  char text[17] = {};
  std::to_chars(text, text + 16, (uint64_t{1} << ways) - 1, 16);
  return resctrl_steps(place, level_of(place.files), text);
}

std::optional<std::string> taken_cache_ways(const SettingFiles& files,
                                            const std::vector<SettingStep>& steps) {
  const auto ways = least_of(taken_schemata(files, steps, level_of(files)), ways_of);
  if (!ways) return {};
  return std::to_string(*ways);
}

}  // namespace

SettingDef cpu_cache_ways_setting() {
  return {.name = "cpu.cache_ways",
          .summary = "ways of the last cache that the run may fill; other processes may fill all",
          .set_by = "--over cpu.cache_ways=N,N",
          .find = find_cache_ways,
          .steps = cache_ways_steps,
          .taken = taken_cache_ways};
}

}  // namespace opbench
