#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/model/workload_extents.h"
#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/sweep_result.h"
#include "model/graph/graph.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// `KEY=V,V…` with ranges among the values: `1..8` and `1..8+2` by steps, `1..32*2` by factors.
/// Values are in the order given. `kInvalidInput`: no `=`, no value, a value twice, a bad range.
Result<SweepKey> parse_over(const std::string& text);

/// What a key sets.
struct SweepSetting {
  enum class Kind {
    kEngine,
    kThreads,
    kBatch,
    kCache,
    kTarget,
    kExecutor,  ///< of a model
    kParallel,  ///< of a model: full or stream
    kFusion,    ///< on or off
    kSchedule,  ///< of a workload's kernel
    kKnob,      ///< of that schedule
    kExtent,
    kInputExtent,
    kDimension,
    kMachine,  ///< a setting of the machine, for the time of the point
  };
  Kind kind = Kind::kThreads;
  ExtentPlace extent;    ///< kExtent
  std::string input;     ///< kInputExtent: the model's input; kDimension: the dimension's name;
                         ///< kKnob: the knob's; kMachine: the setting's
  size_t dimension = 0;  ///< of it
  bool operator==(const SweepSetting&) const = default;
};

/// What a sweep is over: a workload, or a model with its inputs as declared.
struct SweepSubject {
  const Workload* workload = nullptr;
  std::vector<Value> inputs;
};

/// What `key` sets in the subject, its values checked: whole numbers from 1 for extents and
/// threads, whole numbers for knobs, engines and schedules that are known, targets, cache modes.
/// `kInvalidInput` for an unknown key or value (with the known ones and a guess), `kEnvironment`
/// for a setting of the machine that cannot be set here.
Result<SweepSetting> setting_of(const SweepKey& key, const SweepSubject& subject,
                                const std::vector<UserEngine>& user_engines);

}  // namespace opbench
