#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernels/schedules/schedule.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"
#include "model/operators/workloads/workload.h"
#include "records/record/tuning_record.h"
#include "tuning/trials/model_task.h"

namespace opbench {

/// What a record is a trial of, for `target`.
Task recorded_task(const TuningRecord& record, const Target& target);

/// A task whose configs can be built here.
struct TunableTask {
  size_t number = 0;  ///< among the model's tasks
  Task task;
  ConfigSpace space;
  uint64_t size = 0;  ///< configs
  Workload workload;
  std::string schedule;           ///< name of the ScheduleDef
  std::vector<Layout> layouts;    ///< of one of our own schedules; else the config says
  KnobConfig default_config;      ///< of one of our own schedules for one thread; empty: no config
  std::vector<uint64_t> opening;  ///< tried first: default, known from elsewhere, seeds
  double flops = 0;               ///< of one call, as the tuner's scores count them
  int threads = 1;                ///< that will run its configs
};

/// Of a template of TVM that has a schedule here, or of our own; `threads` will run its configs.
/// `kInvalidInput` with the reason why it cannot be tuned here: its template has no schedule, or
/// its workload no kernel.
Result<TunableTask> tunable_task(const Task& task, size_t number, int threads = 1);

/// A config of one of our own schedules with the knobs that the schedule has got since the config
/// was written, each with its default for one thread; others as they are.
KnobConfig with_new_knobs(const TunableTask& task, KnobConfig config);

/// The kernel of one config. `kInvalidInput` for a config whose schedule does not fit the workload:
/// what is told without building it.
Result<KernelSpec> candidate_of(const TunableTask& task, const KnobConfig& config);

/// The default kernel of the workload that `chosen` computes, in the same layouts. If models here
/// never have these layouts, in those that the workload gets by itself. Nothing: it has none.
std::optional<KernelSpec> default_kernel(const TunableTask& task, const KernelSpec& chosen);

/// What the task's schedule expects of its configs (ScheduleDef::estimate), for TunerInput; empty
/// when it has no word on it. `task` must outlive it.
std::function<double(uint64_t)> estimate_of(const TunableTask& task);

}  // namespace opbench
