#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/schedules/schedule.h"
#include "kernels/space/config_space.h"
#include "model/graph/graph.h"
#include "tuning/trials/model_task.h"

/// Our own schedules as templates: `conv2d_direct.opbench`, whose arguments are a unit's workload
/// and the channel blocks of its operands and its output.
namespace opbench {

/// For every unit, a task for each schedule with knobs that can compute it: in execution order, the
/// default schedule for so many threads first. Tasks of one unit have equal arguments. Errors as
/// those of `lower` and `plan_layouts`.
Result<std::vector<ModelTask>> own_tasks(Model model, const Target& target, int threads = 1);

/// Whether a task's name is that of one of our schedules.
bool is_own_task(std::string_view name);

/// The default kernel of such a task, for so many threads. `kInvalidInput` for an unknown schedule,
/// arguments of another form, or a workload that the schedule does not take.
Result<KernelSpec> spec_of_task(const Task& task, int threads = 1);

/// All values of the knobs of its schedule. `kInvalidInput` beyond 64 bits of configs.
Result<ConfigSpace> own_space(const KernelSpec& spec);

}  // namespace opbench
