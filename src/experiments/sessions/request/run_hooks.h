#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opbench {

/// What `[engine.NAME]` of opbench.toml says: an engine of the user's own, or settings of a shipped
/// one (then `command` is empty).
struct UserEngine {
  std::string name;
  std::vector<std::string> command;
  std::map<std::string, std::string> settings;
  bool operator==(const UserEngine&) const = default;
};

/// How far a run has come, for one line on the terminal.
struct Progress {
  std::string stage;  ///< read, build, check, start, profile, measure
  std::string engine;
  std::string item;               ///< what is at work: `conv2d 64x56x56 k3`
  int64_t done = 0;               ///< of `total` items of this stage
  int64_t total = 0;              ///< 0 when not known
  std::optional<double> time_ms;  ///< of the item measured last
  std::optional<double> precision_percent;
  std::optional<double> eta_s;
};

/// What a run finds around it: whom it tells, who ends it, engines that the user added. No part of
/// a record.
struct RunHooks {
  std::function<void(const Progress&)> progress;  ///< may be empty; called on the caller's thread
  const std::atomic<bool>* cancel = nullptr;      ///< when true: end the build or sample, return
  std::vector<UserEngine> user_engines;

  bool is_cancelled() const { return cancel != nullptr && *cancel; }
};

}  // namespace opbench
