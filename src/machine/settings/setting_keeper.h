#pragma once

#include <memory>

namespace opbench {

/// The hidden command that keep_settings() is.
constexpr const char* kSettingKeeperCommand = "setting-keeper";

/// A process beside this one that puts settings back when this one ends without doing so.
class SettingKeeper {
 public:
  /// Null where it cannot be started; the next command heals then.
  static std::unique_ptr<SettingKeeper> start();
  SettingKeeper(const SettingKeeper&) = delete;
  SettingKeeper& operator=(const SettingKeeper&) = delete;
  /// Ends the process.
  ~SettingKeeper();

 private:
  SettingKeeper(int process, int pipe) : process_(process), pipe_(pipe) {}
  int process_;
  int pipe_;  ///< open as long as this process lives
};

/// What that process does: waits for the end of its standard input, which the other process holds
/// open, then heals. start() blocks the signals that end a run for it.
void keep_settings();

}  // namespace opbench
