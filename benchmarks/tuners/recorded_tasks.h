#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/errors/error.h"
#include "tuning/trials/candidate.h"
#include "tuning/tuners/tuner.h"

namespace opbench {

/// A task whose configs were measured once and for all, so that searches of it can be replayed.
struct RecordedTask {
  TunableTask task;
  std::unordered_map<uint64_t, double> cost_s;  ///< by config; 0: it failed
  uint64_t refused = 0;                         ///< configs that cannot be built
  double best_s = 0;                            ///< 0: none ran

  bool is_complete() const { return cost_s.size() + refused >= task.size; }
};

/// Those of the tasks that can be tuned here, with what the log holds of each. The log is made if
/// it is not there. `kInvalidInput` as from TrialLog.
Result<std::vector<RecordedTask>> recorded_tasks(const std::vector<Task>& tasks,
                                                 const std::filesystem::path& log);

/// One search of a recorded task.
struct ReplayedSearch {
  size_t trials = 0;   ///< until one came within 5 % of the best; all of them when none did
  double tuner_s = 0;  ///< that the tuner itself took
};

/// A task that was searched before, and what came out.
struct EarlierSearch {
  const RecordedTask* task = nullptr;
  std::vector<ScoredConfig> configs;
};

/// What `trials` random trials of a task tell; all of its configs if it has no more.
EarlierSearch earlier_search(const RecordedTask& recorded, size_t trials);

/// Nothing is measured: configs cost what the table says, and as many are under way as on a machine
/// of two cores. The tuner knows what came out of the earlier searches, as in `tune` of a model.
ReplayedSearch replay_search(const RecordedTask& recorded, const TunerDef& tuner, uint64_t seed,
                             std::span<const EarlierSearch> earlier);

}  // namespace opbench
