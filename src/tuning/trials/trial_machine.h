#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "tuning/trials/candidate.h"

namespace opbench {

/// What became of a config.
struct MeasuredConfig {
  uint64_t index = 0;
  std::vector<double> costs_s;     ///< seconds a call, one a repeat
  std::optional<Failure> failure;  ///< exactly one of the two
  double spent_s = 0;
};

/// Builds and measures configs, several at a time: LocalMachine, or a stand-in in tests.
class TrialMachine {
 public:
  virtual ~TrialMachine() = default;

  /// Configs of this task from now on; it must live as long. None of another may be under way.
  virtual void begin(const TunableTask& task) = 0;

  /// How many configs under way keep it busy.
  virtual size_t width() const = 0;

  /// Puts a config under way.
  virtual void start(uint64_t index, KernelSpec spec) = 0;

  /// Waits for one of those under way. `best_s`: the best time so far, 0 for none; what is much
  /// slower is measured less. `kInterrupted` when cancelled; `kEnvironment` when nothing can be
  /// measured here, `kSystem` when the task has no reference.
  virtual Result<MeasuredConfig> finish(double best_s) = 0;

  /// Builds a config again and measures it precisely. Errors as for `finish`.
  virtual Result<MeasuredConfig> measure_afresh(uint64_t index, KernelSpec spec) = 0;

  /// What makes the times taken so far doubtful: a line each.
  virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace opbench
