#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/interference/corun_item.h"
#include "experiments/sessions/engine_run.h"
#include "measuring/sampling/engine_runner.h"
#include "prediction/interference/interference_result.h"

namespace opbench {

/// Where an engine process finds a unit.
struct PreparedStep {
  size_t subject = 0;  ///< index of the engine run
  int unit = 0;        ///< its number in the package
};

/// One visit of a co-run.
struct CorunVisit {
  int process = 0;
  bool is_swapped = false;  ///< the second party runs on the first CPU
  int rounds = 12;
  double limit_s = 1;
  uint64_t seed = 0;
};

/// Engine processes that hold every engine run's package twice, so that a unit may meet itself, and
/// co-run on two CPUs with one thread a side.
class CorunClient {
 public:
  /// The engine runs' packages are for one thread; all are of one engine that takes packages.
  CorunClient(const std::vector<const EngineRun*>& engine_runs, const std::array<int, 2>& cpus,
              uint64_t seed);

  /// Starts `processes` processes and prepares everything in them.
  Outcome<void> start(int processes);

  /// Seconds of each step inside the running model, the least of `runs` runs.
  Outcome<std::vector<double>> in_model_seconds(size_t subject, int runs);

  /// Adds the rounds of one visit to the item. A failure is the item's, too.
  Outcome<void> visit(CorunItem& item, const CorunVisit& visit,
                      const std::vector<PreparedStep>& steps,
                      const std::vector<InterferenceLevel>& levels);

  /// Whether the system let the threads of the last co-run before others.
  bool has_raised_priority() const { return has_raised_priority_; }

 private:
  std::vector<std::string> names_;  ///< of preparations
  EngineRunner runner_;
  bool has_raised_priority_ = false;
};

}  // namespace opbench
