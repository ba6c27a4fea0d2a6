#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/space/knob_config.h"
#include "kernels/tasks/template.h"

namespace opbench {

/// The fastest config of a task.
struct BestConfig {
  KnobConfig config;
  double logged_s = 0;              ///< as its trial says
  std::optional<double> fresh_s;    ///< measured again at the end: the median
  std::optional<double> default_s;  ///< of the default config, measured right after it
  bool operator==(const BestConfig&) const = default;
};

/// How far a task has come.
struct SearchState {
  int64_t trials = 0;               ///< with those of the log
  int64_t resumed = 0;              ///< of these, from the log
  int64_t refused = 0;              ///< configs that cannot be built, told without building
  std::map<int, int64_t> failures;  ///< by AutoTVM's number
  std::optional<BestConfig> best;
  double seconds = 0;         ///< spent in this run
  bool is_exhausted = false;  ///< no config was left
};

/// One task with what its search found.
struct TunedTask {
  size_t number = 0;  ///< among the model's tasks
  Task task;
  int64_t uses = 1;    ///< in the model
  std::string shapes;  ///< of its workload, short
  uint64_t size = 0;
  double flops = 0;    ///< of one call
  int64_t wanted = 0;  ///< trials
  SearchState state;
  bool is_finished = false;
};

/// A task that is not tuned here, and why.
struct UntunedTask {
  size_t number = 0;
  Task task;
  std::string reason;
};

struct TuneResult {
  std::vector<TunedTask> tasks;
  std::vector<UntunedTask> untuned;
  std::vector<std::string> warnings;  ///< TrialMachine::warnings
  double seconds = 0;
  bool is_interrupted = false;
  bool is_out_of_time = false;
};

}  // namespace opbench
