#pragma once

#include <string>

#include "base/tables/table.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// What one call of a kernel computes and touches, which is not what the workload says: blocks are
/// filled up with zeros, transforms save products and enlarge weights.
struct KernelWork {
  double flops = 0;  ///< of products: those of a transformed tile where the schedule transforms
  double input_bytes = 0;     ///< of operands that are no weights, in their layouts
  double weight_bytes = 0;    ///< as the kernel reads them
  double output_bytes = 0;    ///< of all outputs
  double scratch_bytes = 0;   ///< what it writes and reads again between the two
  double repeated_bytes = 0;  ///< of operands that it reads again, beyond the first time
  /// Products of one vector instruction over those of float32: 4 where bytes have dot products.
  double products_a_lane = 1;

  double footprint() const { return input_bytes + weight_bytes + output_bytes + scratch_bytes; }
};

/// A schedule whose kernels compute something else than the workload's operators say, from the
/// files `<x>_effort.cpp`.
struct EffortDef {
  std::string name;  ///< of the schedule
  /// Changes the work of the operators into that of the kernel.
  void (*adjust)(const KernelSpec& spec, KernelWork& work) = nullptr;
};
const Table<EffortDef>& effort_table();

}  // namespace opbench
