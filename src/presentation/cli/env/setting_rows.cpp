#include "presentation/cli/env/setting_rows.h"

#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "machine/settings/setting.h"
#include "presentation/cli/output/table_output.h"

namespace opbench {
namespace {

constexpr const char* kSettingsSchema = "opbench.settings/1";
constexpr int kSettingsIndent = 2;
constexpr const char* kNothing = "-";

std::string text_or_dash(const std::string& text) { return text.empty() ? kNothing : text; }

TextTable settings_table(const SettingPlace& place) {
  TextTable table{.columns = {{.header = "setting"},
                              {.header = "value"},
                              {.header = "range", .shrinks_to = 16},
                              {.header = "can be set"},
                              {.header = "set by", .shrinks_to = 20, .drop_order = 1},
                              {.header = "why not", .shrinks_to = 24}}};
  for (const SettingDef& setting : setting_table().all()) {
    const SettingState state = setting.find(place);
    table.rows.push_back(
        {{setting.name, state.value.value_or(kNothing), text_or_dash(range_text(state.range)),
          state.is_settable() ? "yes" : "no", setting.set_by, state.reason}});
  }
  return table;
}

/// What a run can use of a setting: the words of the command line, else why there are none.
std::string usage_of(const SettingDef& setting, const SettingState& state) {
  std::string text = "`" + setting.set_by + "`";
  if (state.value) text += ", now " + *state.value;
  return state.is_settable() ? text : text + "; not here: " + state.reason;
}

TextTable usage_table(const SettingPlace& place) {
  TextTable table{.columns = {{.header = "hardware setting"},
                              {.header = "configuration range"},
                              {.header = "resource usage settings"}}};
  for (const SettingDef& setting : setting_table().all()) {
    const SettingState state = setting.find(place);
    table.rows.push_back({{setting.name + ": " + setting.summary,
                           text_or_dash(range_text(state.range)), usage_of(setting, state)}});
  }
  return table;
}

Json settings_json(const SettingPlace& place) {
  Json settings = Json::array();
  for (const SettingDef& setting : setting_table().all()) {
    settings.push_back(to_json(setting, setting.find(place)));
  }
  return {{"schema", kSettingsSchema}, {"settings", std::move(settings)}};
}

}  // namespace

Result<void> print_settings(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  SettingFiles files = SettingFiles::of_machine();
  const SettingPlace place = setting_place(files);
  if (format == "json") {
    return write_text(json_text(settings_json(place), kSettingsIndent) + "\n", arguments, terminal);
  }
  const TextTable table = format == "md" ? usage_table(place) : settings_table(place);
  return write_table(table, "", "", arguments, terminal);
}

}  // namespace opbench
