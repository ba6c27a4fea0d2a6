#pragma once

#include <optional>
#include <string>

#include "base/errors/error.h"
#include "kernels/space/knob_config.h"

namespace opbench {

/// Reads the knobs of a config by name. The first that is not there or has another form is
/// remembered and reported by `finish`; it counts 1.
class ConfigReader {
 public:
  explicit ConfigReader(const KnobConfig& config) : config_(config) {}

  /// Size `part` of a split, 0 the outermost, which is free; or the last.
  int64_t size(const std::string& knob, size_t part);
  int64_t last_size(const std::string& knob);

  /// A number or truth value.
  int64_t option(const std::string& knob);

  /// `kInvalidInput` naming the first knob that was not as wanted.
  Result<void> finish() const;

 private:
  const Argument* find(const std::string& knob, ArgumentKind kind);
  void fault(const std::string& knob);

  const KnobConfig& config_;
  std::optional<std::string> fault_;
};

}  // namespace opbench
