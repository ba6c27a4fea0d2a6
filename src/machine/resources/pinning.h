#pragma once

#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// The CPUs that the calling thread may run on, ascending: the process's cpuset and affinity.
std::vector<int> current_affinity();

/// Restricts the calling thread to these CPUs; threads it starts later inherit that.
/// `kInvalidInput` when none of them can be used.
Result<void> pin_this_thread(const std::vector<int>& cpus);

}  // namespace opbench
