#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"

/// Which configs of a config space to try next. A tuner is one file,
/// `src/tuning/tuners/<x>_tuner.cpp`, that defines `TunerDef <x>_tuner()`; nothing else is edited.
namespace opbench {

/// What is searched. The space and the task must outlive the tuner.
struct TunerInput {
  const ConfigSpace& space;
  uint64_t size = 0;  ///< configs
  uint64_t seed = 0;
  const Task* task = nullptr;  ///< that the space is of; null: nothing is known but the space
  /// How long a config is expected to take next to others; 0 for one that cannot be built. Empty:
  /// not known.
  std::function<double(uint64_t config)> estimate = {};
};

/// A config and what it is worth.
struct ScoredConfig {
  uint64_t index = 0;
  double score = 0;
};

/// Proposes configs and learns what they are worth. Configs may be told in any order.
class Tuner {
 public:
  virtual ~Tuner() = default;

  /// At most `count` configs, none of them given or told before. None at all: what was given has to
  /// be told first, or, when all of that was told, there is nothing left to try.
  virtual std::vector<uint64_t> next(size_t count) = 0;

  /// What a config is worth: operations a second, 0 for a failure. Also of configs that `next` did
  /// not give, which a log holds; these are never proposed.
  virtual void tell(uint64_t index, double score) = 0;

  /// What is known of another task, before the first `next`. Most tuners have no use for it.
  virtual void learn_from(const TunerInput& /*other*/,
                          const std::vector<ScoredConfig>& /*configs*/) {}
};

struct TunerDef {
  std::string name;  ///< xgb_knob: what `--tuner` takes
  std::string summary;
  /// Equal seeds, and equal scores, give equal configs.
  std::unique_ptr<Tuner> (*make)(const TunerInput& input) = nullptr;
  /// Why it cannot search a task: `kInvalidInput` for this one, `kEnvironment` for all. Null: it
  /// can search every one. What `make` gets was checked, or is no task.
  Result<void> (*check)(const Task& task) = nullptr;
  /// Trials go to the tasks of a model by what they are expected to save; else to one after the
  /// other.
  bool shares_trials = false;
};

/// Every tuner, from the files `<x>_tuner.cpp`.
const Table<TunerDef>& tuner_table();

}  // namespace opbench
