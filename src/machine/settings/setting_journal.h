#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/settings/setting.h"

namespace opbench {

/// A process. Its start and the boot tell it from others that have its number.
struct SettingOwner {
  int64_t process = 0;
  int64_t start = 0;  ///< in the kernel's ticks since the boot
  std::string boot;   ///< the kernel's name of the boot; empty: not known
  bool operator==(const SettingOwner&) const = default;
};

SettingOwner this_process();
SettingOwner owner_of(int64_t process);

/// Whether it still runs. One that waits to be reaped does not.
bool is_alive(const SettingOwner& owner);

/// A setting that a run has changed, with what puts it back.
struct HeldSetting {
  SettingOwner owner;
  std::string setting;
  std::string before, value;  ///< as people read them
  std::vector<SettingStep> steps;
};

/// What was put back of runs that ended without doing so.
struct HealedSettings {
  std::vector<HeldSetting> restored;
  /// Those that could not be put back, with the reason; they stay in the journal.
  std::vector<std::pair<HeldSetting, std::string>> left;
};

/// The file that says which settings runs have changed and not yet put back. It lies in
/// /run/opbench below the root, as settings do not outlive a boot either; where that cannot be
/// written, in the cache folder. Each change is on disk before the setting is.
class SettingJournal {
 public:
  explicit SettingJournal(SettingFiles& files);

  /// Puts back the settings of owners that have ended; those of others stay as they are. Nothing
  /// but a look for the file where there is none. `kEnvironment` for a journal that cannot be read.
  Result<HealedSettings> heal();

  /// Heals, asks `prepare` for the steps of this process's change, and writes them down.
  /// `kEnvironment` with the process while another run that lives has the setting.
  using Prepare = Result<HeldSetting> (*)(const SettingDef&, const SettingPlace&,
                                          const std::string& value);
  Result<HeldSetting> hold(const SettingDef& setting, const std::string& value, Prepare prepare);

  /// Whether the process has settings that are not put back yet.
  bool holds_of(const SettingOwner& owner);

  /// The setting of this process is back as it was.
  Result<void> release(const HeldSetting& held);

 private:
  class Lock;
  std::filesystem::path file() const { return folder_ / "settings.jsonl"; }
  Result<std::vector<HeldSetting>> read() const;
  Result<void> write(const std::vector<HeldSetting>& held) const;
  HealedSettings heal_in(std::vector<HeldSetting>& held);

  SettingFiles& files_;
  std::filesystem::path folder_;
};

/// heal() of every place where a journal of this machine may lie.
Result<HealedSettings> heal_settings(SettingFiles& files);

}  // namespace opbench
