#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/settings/setting_files.h"
#include "machine/settings/setting_journal.h"

namespace opbench {

class SettingKeeper;

/// Settings of the machine by name, as a run wants them.
using WantedSettings = std::map<std::string, std::string>;

/// Settings that are set as long as this lives, and put back afterwards. A program that is killed
/// leaves that to the keeper, a process beside it, or to the next command.
class SettingsInForce {
 public:
  /// Sets nothing where nothing is wanted. After an error all is as it was: `kInvalidInput` for a
  /// name that no setting has or that no step sets, and for a value out of its range, which it
  /// quotes; `kEnvironment` with the reason for a setting that cannot be set here, that another run
  /// that lives has set, or whose value the kernel refuses.
  /// `has_keeper`: a program that is killed has its settings put back at once.
  static Result<SettingsInForce> set(SettingFiles& files, const WantedSettings& wanted,
                                     bool has_keeper = true);

  SettingsInForce(SettingsInForce&&) noexcept;
  SettingsInForce& operator=(SettingsInForce&&) = delete;
  SettingsInForce(const SettingsInForce&) = delete;
  SettingsInForce& operator=(const SettingsInForce&) = delete;
  ~SettingsInForce();

  /// What is in force, which the kernel may have rounded.
  const WantedSettings& taken() const { return taken_; }

  /// Sentences on values that the kernel has rounded.
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// Puts all back, the last first. The error of the first that cannot be; the journal keeps it.
  Result<void> put_back();

 private:
  explicit SettingsInForce(SettingFiles& files);
  Result<void> add(const std::string& name, const std::string& value);
  Result<void> take_value(const SettingDef& setting, const HeldSetting& held);

  SettingFiles* files_;
  SettingJournal journal_;
  std::vector<HeldSetting> held_;
  std::unique_ptr<SettingKeeper> keeper_;
  WantedSettings taken_;
  std::vector<std::string> remarks_;
};

}  // namespace opbench
