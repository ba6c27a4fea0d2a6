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
struct ConfigPoint {
  std::shared_ptr<const TunableTask> task;
  uint64_t index = 0;  ///< of the task's space
  KernelSpec spec;
  std::string
      origin;  ///< `default, 1 thread`, `default, 2 threads`, `rule`, …, `seed config`, `space`
};

/// The best config that is known of a task from elsewhere, as TuneRequest::known.
using KnownConfig = std::function<std::optional<KnobConfig>(const TuningRecord& task)>;

/// At most `most` configs of a unit's schedules, the default one for a thread first, then the
/// default one for two, then in turns over all schedules that compute the unit: those by rule,
/// known from trials, alternatives of the rule, and configs drawn from the space by `seed`, those
/// first of which the schedule expects most. By task, so that each is begun once. A schedule
/// without knobs has one config. Errors as tunable_task.
Result<std::vector<ConfigPoint>> config_points(const KernelSpec& unit, size_t most, uint64_t seed,
                                               const KnownConfig& known);

}  // namespace opbench
