#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/numbers/number.h"
#include "machine/settings/resctrl_group.h"

namespace opbench {
namespace {

/// A mask of ways, in hexadecimal digits.
std::optional<uint64_t> mask_of(const std::string& text) {
  uint64_t mask = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return mask;
}

/// The last level that can be shared out.
std::string level_of(const SettingFiles& files) {
  const bool has_l3 = resctrl_info(files, "L3", "cbm_mask").has_value();
  return !has_l3 && resctrl_info(files, "L2", "cbm_mask") ? "L2" : "L3";
}

/// The fewest ways that a cache of the group's may fill; nothing if the schemata do not say.
std::optional<int64_t> fewest_ways(const std::map<std::string, std::string>& domains) {
  std::optional<int64_t> fewest;
  for (const auto& [domain, text] : domains) {
    const auto mask = mask_of(text);
    if (!mask) return {};
    const int64_t ways = std::popcount(*mask);
    fewest = std::min(fewest.value_or(ways), ways);
  }
  return fewest;
}

SettingState find_cache_ways(const SettingPlace& place) {
  SettingState state;
  const std::string level = level_of(place.files);
  state.reason = why_no_resctrl(place.files, level, level == "L3" ? "cat_l3" : "cat_l2");
  const auto all = resctrl_info(place.files, level, "cbm_mask");
  const auto mask = all ? mask_of(*all) : std::nullopt;
  const auto ways = fewest_ways(schemata_of(place.files, all_resctrl_group(), level));
  if (!mask || !ways) {
    if (state.reason.empty()) state.reason = "resctrl does not tell the ways of " + level;
    return state;
  }
  const auto least = resctrl_info(place.files, level, "min_cbm_bits");
  state.value = std::to_string(*ways);
  state.range = {.low = least ? parse_integer(*least).value_or(1) : 1,
                 .high = std::popcount(*mask),
                 .unit = "ways of " + level};
  state.is_settable = state.reason.empty();
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
  const auto ways = fewest_ways(taken_schemata(files, steps, level_of(files)));
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
