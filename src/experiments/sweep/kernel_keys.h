#pragma once

#include <string>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "kernels/schedules/kernel_choice.h"

namespace opbench {

/// The schedule and knobs that keys of a sweep give a workload's kernel.
struct KernelKeys {
  std::string schedule;  ///< empty: the one that the workload has by default
  Config knobs;
  bool is_empty() const { return schedule.empty() && knobs.empty(); }
};

/// The kernel of the request's workload: the default config of the schedule, with these knobs set.
/// `kInvalidInput`: a workload or target that cannot be read, a schedule that does not take the
/// workload (with those that do), a knob that the schedule does not have (with those it has), a
/// value that no tuner may give it (with those it may), values that do not go together.
/// `origin` names the options of `sweep` that choose the kernel again.
Result<KernelChoice> kernel_of(const ProfileRequest& request, const KernelKeys& keys);

}  // namespace opbench
