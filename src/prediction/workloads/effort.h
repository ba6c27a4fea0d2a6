#pragma once

#include <string>

#include "base/tables/table.h"
#include "prediction/workloads/kernel_work.h"

namespace opbench {

/// A schedule whose kernels compute something else than the workload's operators say, from the
/// files `<x>_effort.cpp`.
struct EffortDef {
  std::string name;  ///< of the schedule
  /// Changes the work of the operators into that of the kernel.
  void (*adjust)(const KernelSpec& spec, KernelWork& work) = nullptr;
};
const Table<EffortDef>& effort_table();

}  // namespace opbench
