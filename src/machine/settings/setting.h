#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "base/tables/table.h"
#include "machine/facts/topology.h"
#include "machine/settings/setting_files.h"

namespace opbench {

/// What a setting may be: one of the words, or a whole number from low to high by steps.
struct SettingRange {
  std::vector<std::string> words;
  int64_t low = 0, high = -1, step = 1;  ///< no numbers where high < low
  std::string unit;
  bool has_numbers() const { return low <= high; }
  bool operator==(const SettingRange&) const = default;
};

/// `powersave, performance`, `800 to 3500 MHz`, `none, 1 to 200 %`; empty if nothing is known.
std::string range_text(const SettingRange& range);

/// A setting as it stands.
struct SettingState {
  std::optional<std::string> value;  ///< nothing: `reason` says why; never 0 in its place
  SettingRange range;
  std::string reason;  ///< why there is no value, or why it cannot be set; empty: it can
  bool is_settable() const { return reason.empty(); }
};

/// One thing that is done to set a setting, and undone afterwards.
struct SettingStep {
  enum class Kind {
    kWrite,   ///< the file gets `after`; afterwards `before`, unless that is empty
    kFolder,  ///< the folder, a group, is made; afterwards it is removed
    kEnter,   ///< this process enters the group whose file of processes this is; afterwards all
              ///< that are in it go to the file `before`, unless that is empty
  };
  Kind kind = Kind::kWrite;
  std::string path;  ///< relative to the root
  std::string before, after;
  bool operator==(const SettingStep&) const = default;
};

/// Where settings are looked for.
struct SettingPlace {
  SettingFiles& files;
  std::vector<int> cpus;  ///< that this process may run on

  /// This machine's; empty where it cannot be read. Takes some milliseconds.
  static Topology topology();
};

/// The files, with this machine's CPUs.
SettingPlace setting_place(SettingFiles& files);

/// A setting of the machine that results depend on.
struct SettingDef {
  std::string name;
  std::string summary;
  std::string set_by;                   ///< what of the command line sets it for a run
  std::vector<std::string> parts = {};  ///< other settings that this one sets too
  SettingState (*find)(const SettingPlace&) = nullptr;

  /// The engine sets it for itself when it starts: no step, nothing to put back.
  bool is_set_by_engine = false;

  /// What sets it to a value of its range; null: no step does. `kEnvironment` where that cannot be.
  Result<std::vector<SettingStep>> (*steps)(const SettingPlace&,
                                            const std::string& value) = nullptr;

  /// The value that is in force after its steps; null: find() tells it.
  std::optional<std::string> (*taken)(const SettingFiles&,
                                      const std::vector<SettingStep>&) = nullptr;
};

/// Every setting, from the files `<x>_setting.cpp`.
const Table<SettingDef>& setting_table();

/// Whether a run can have a value of it: by steps, or by its engine.
inline bool is_of_runs(const SettingDef& setting) {
  return setting.steps != nullptr || setting.is_set_by_engine;
}

/// Names of those that are of runs.
std::vector<std::string> settable_names();

/// Whether the setting and the one with this name are the same, or one is part of the other: they
/// cannot be set to two values.
bool are_one(const SettingDef& setting, const std::string& other);

/// `kInvalidInput` for a value that is not in the range (quotes it, says what is valid, guesses);
/// `kEnvironment` with the reason where the setting cannot be set here.
Result<void> check_setting(const SettingDef& setting, const SettingState& state,
                           const std::string& value);

/// {"name", "value", "range", "settable", "reason", "set_by"}; what is not known is null.
Json to_json(const SettingDef& setting, const SettingState& state);

}  // namespace opbench
