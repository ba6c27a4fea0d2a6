#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "machine/resources/pinning.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

bool is_in_range(const SettingRange& range, const std::string& value) {
  if (std::ranges::find(range.words, value) != range.words.end()) return true;
  const auto number = parse_integer(value);
  return range.has_numbers() && number && *number >= range.low && *number <= range.high &&
         (*number - range.low) % range.step == 0;
}

/// The word that is spelt nearly so, or the nearest number.
std::string guess_of(const SettingRange& range, const std::string& value) {
  const auto number = parse_integer(value);
  if (!number || !range.has_numbers()) return nearest_name(value, range.words);
  const int64_t within = std::clamp(*number, range.low, range.high);
  return std::to_string(within - (within - range.low) % range.step);
}

Json value_json_of(const SettingState& state) {
  if (!state.value) return nullptr;
  const auto number = parse_integer(*state.value);
  return number ? Json(*number) : Json(*state.value);
}

Json range_json(const SettingRange& range) {
  if (range.words.empty() && !range.has_numbers()) return nullptr;
  Json json = {{"words", range.words}};
  if (range.has_numbers()) {
    json["low"] = range.low;
    json["high"] = range.high;
    json["step"] = range.step;
    json["unit"] = range.unit;
  }
  return json;
}

}  // namespace

std::string range_text(const SettingRange& range) {
  std::vector<std::string> parts = range.words;
  if (range.has_numbers()) {
    std::string text = range.low == range.high ? std::to_string(range.low)
                                               : fmt::format("{} to {}", range.low, range.high);
    if (!range.unit.empty()) text += " " + range.unit;
    if (range.step != 1) text += fmt::format(" by {}", range.step);
    parts.push_back(std::move(text));
  }
  return join(parts);
}

SettingPlace setting_place(SettingFiles& files) {
  return {.files = files, .cpus = current_affinity()};
}

Topology SettingPlace::topology() { return this_topology().value_or(Topology()); }

std::vector<std::string> settable_names() {
  std::vector<std::string> names;
  for (const SettingDef& setting : setting_table().all()) {
    if (is_of_runs(setting)) names.push_back(setting.name);
  }
  return names;
}

bool are_one(const SettingDef& setting, const std::string& other) {
  const auto has_part = [](const SettingDef& whole, const std::string& part) {
    return std::ranges::find(whole.parts, part) != whole.parts.end();
  };
  const auto known = setting_table().find(other);
  return setting.name == other || has_part(setting, other) ||
         (known && has_part(**known, setting.name));
}

Result<void> check_setting(const SettingDef& setting, const SettingState& state,
                           const std::string& value) {
  if (!is_of_runs(setting)) {
    return invalid_input(fmt::format("no file of the system sets {}", setting.name))
        .with("set by", setting.set_by);
  }
  if (!state.is_settable()) {
    return Error{ErrorCode::kEnvironment, setting.name + " cannot be set here"}.with("reason",
                                                                                     state.reason);
  }
  if (is_in_range(state.range, value)) return {};
  Error error = invalid_input(fmt::format("{} cannot be \"{}\"", setting.name, value))
                    .with("valid", range_text(state.range));
  const std::string guess = guess_of(state.range, value);
  if (!guess.empty()) error.facts.push_back({"did you mean", guess + "?"});
  return error;
}

Json to_json(const SettingDef& setting, const SettingState& state) {
  Json json;
  json["name"] = setting.name;
  json["value"] = value_json_of(state);
  json["range"] = range_json(state.range);
  json["settable"] = state.is_settable();
  json["reason"] = state.reason.empty() ? Json() : Json(state.reason);
  json["set_by"] = setting.set_by;
  return json;
}

}  // namespace opbench
