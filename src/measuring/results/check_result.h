#pragma once

#include <optional>
#include <string>

namespace opbench {

/// Whether an engine computes what another one computes.
struct CheckResult {
  std::string engine;  ///< checked against; its own name: the others are checked against it
  std::optional<double> max_relative_error;
  bool passed = false;
  std::string reason;  ///< why it did not pass, or was not made
};

/// Whether a check found the results wrong.
inline bool found_wrong(const CheckResult& check) {
  return check.max_relative_error && !check.passed;
}

/// Whether they are wrong and no time of them is published. What the others are checked against
/// keeps its times, with the reason beside them, where exact arithmetic finds it wrong.
inline bool is_refused(const std::string& engine, const CheckResult& check) {
  return found_wrong(check) && check.engine != engine;
}

}  // namespace opbench
