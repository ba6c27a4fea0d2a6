#pragma once

#include <optional>
#include <string>

namespace opbench {

/// Whether an engine computes what another one computes.
struct CheckResult {
  std::string engine;  ///< checked against; its own name: the others are checked against it
  std::optional<double> max_relative_error;
  bool passed = false;
  std::string reason;          ///< why it did not pass, or was not made
  bool was_asked_for = false;  ///< by `--check`, and not the usual one
};

/// Whether anything was compared, or the others are checked against it: else it neither passed nor
/// failed.
inline bool is_made(const CheckResult& check) {
  return check.passed || check.max_relative_error.has_value();
}

/// Whether a check found the results wrong.
inline bool found_wrong(const CheckResult& check) {
  return check.max_relative_error && !check.passed;
}

/// Whether they are wrong and no time of them is published. What the others are checked against
/// keeps its times, with the reason beside them, where exact arithmetic finds it wrong.
inline bool is_refused(const std::string& engine, const CheckResult& check) {
  return found_wrong(check) && check.engine != engine;
}

/// Whether a check that was asked for is missing.
inline bool is_missing(const std::string& engine, const CheckResult& check) {
  return check.was_asked_for && !is_made(check) && check.engine != engine;
}

}  // namespace opbench
