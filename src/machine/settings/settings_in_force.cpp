#include "machine/settings/settings_in_force.h"

#include <fmt/format.h>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "machine/settings/setting.h"
#include "machine/settings/setting_keeper.h"
#include "machine/settings/setting_steps.h"

namespace opbench {
namespace {

Result<const SettingDef*> settable(const std::string& name) {
  const auto setting = setting_table().find(name);
  if (!setting) return unknown_name("setting", name, settable_names());
  return *setting;
}

/// Under the journal's lock, when nobody else changes what is read here.
Result<HeldSetting> prepared_setting(const SettingDef& setting, const SettingPlace& place,
                                     const std::string& value) {
  const SettingState state = setting.find(place);
  OPBENCH_CHECK(check_setting(setting, state, value));
  HeldSetting held{.setting = setting.name, .before = state.value.value_or(""), .value = value};
  OPBENCH_TRY(held.steps, setting.steps(place, value));
  return held;
}

Error refused_setting(const std::string& name, const std::string& value,
                      const std::string& reason) {
  return Error{ErrorCode::kEnvironment, fmt::format("{} cannot be set to \"{}\"", name, value)}
      .with("reason", reason);
}

/// Changes nothing.
Result<void> check_settings(SettingFiles& files, const WantedSettings& wanted) {
  const SettingPlace place = setting_place(files);
  for (const auto& [name, value] : wanted) {
    OPBENCH_TRY(const SettingDef* setting, settable(name));
    OPBENCH_CHECK(check_setting(*setting, setting->find(place), value));
  }
  return {};
}

}  // namespace

SettingsInForce::SettingsInForce(SettingFiles& files) : files_(&files), journal_(files) {}

SettingsInForce::SettingsInForce(SettingsInForce&& other) noexcept
    : files_(other.files_),
      journal_(other.journal_),
      held_(std::exchange(other.held_, {})),
      keeper_(std::move(other.keeper_)),
      taken_(std::move(other.taken_)),
      remarks_(std::move(other.remarks_)) {}

SettingsInForce::~SettingsInForce() { static_cast<void>(put_back()); }

Result<SettingsInForce> SettingsInForce::set(SettingFiles& files, const WantedSettings& wanted,
                                             bool has_keeper) {
  SettingsInForce settings(files);
  if (wanted.empty()) return settings;
  OPBENCH_CHECK(check_settings(files, wanted));
  if (has_keeper) settings.keeper_ = SettingKeeper::start();
  for (const auto& [name, value] : wanted) {
    const Result<void> added = settings.add(name, value);
    if (added) continue;
    OPBENCH_CHECK(settings.put_back());
    return Error(added.error());
  }
  return settings;
}

Result<void> SettingsInForce::add(const std::string& name, const std::string& value) {
  OPBENCH_TRY(const SettingDef* setting, settable(name));
  if (setting->is_set_by_engine) {
    taken_[name] = value;
    return {};
  }
  OPBENCH_TRY(const HeldSetting held, journal_.hold(*setting, value, prepared_setting));
  held_.push_back(held);
  const Result<void> done = do_steps(*files_, held.steps);
  if (!done) return refused_setting(name, value, done.error().message);
  return take_value(*setting, held);
}

Result<void> SettingsInForce::take_value(const SettingDef& setting, const HeldSetting& held) {
  const std::optional<std::string> now = setting.taken != nullptr
                                             ? setting.taken(*files_, held.steps)
                                             : setting.find(setting_place(*files_)).value;
  if (!now) return refused_setting(held.setting, held.value, "it cannot be read any more");
  const bool is_number = parse_integer(*now).has_value();
  if (*now != held.value && (*now == held.before || !is_number)) {
    return refused_setting(held.setting, held.value, fmt::format("the kernel keeps \"{}\"", *now));
  }
  if (*now != held.value) {
    remarks_.push_back(
        fmt::format("the kernel took {} for {}, not {}", *now, held.setting, held.value));
  }
  taken_[held.setting] = *now;
  return {};
}

Result<void> SettingsInForce::put_back() {
  Result<void> all;
  while (!held_.empty()) {
    const HeldSetting held = std::move(held_.back());
    held_.pop_back();
    Result<void> undone = undo_steps(*files_, held.steps);
    if (undone) undone = journal_.release(held);
    if (undone || !all) continue;
    all = Error{ErrorCode::kEnvironment,
                fmt::format("{} cannot be put back to \"{}\"", held.setting, held.before)}
              .with("reason", undone.error().message)
              .with("then", "the next command tries it again");
  }
  keeper_.reset();
  return all;
}

}  // namespace opbench
