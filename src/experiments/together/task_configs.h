#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuning/trials/candidate.h"

namespace opbench {

/// A config that may be tried for a unit.
struct TaskConfig {
  std::shared_ptr<const TunableTask> task;
  uint64_t index = 0;  ///< of the task's space
  KernelSpec spec;
  std::string
      origin;  ///< `default, 1 thread`, `default, 2 threads`, `rule`, …, `seed config`, `space`
};

/// The best config that is known of a task from elsewhere, as TuneRequest::known.
using KnownConfig = std::function<std::optional<KnobConfig>(const TuningRecord& task)>;

/// At most `most` configs of a unit's schedules. The default config for one thread comes first,
/// then the one for two threads. The others are taken in turns from all schedules that compute the
/// unit: default configs, configs known from trials, seed configs, and configs drawn from the space
/// by `seed`, of which the schedule's own estimate puts the fastest first. They are sorted by task,
/// so that each task is begun once. A schedule without knobs has one config. Errors as
/// tunable_task.
Result<std::vector<TaskConfig>> task_configs(const KernelSpec& unit, size_t most, uint64_t seed,
                                             const KnownConfig& known);

}  // namespace opbench
