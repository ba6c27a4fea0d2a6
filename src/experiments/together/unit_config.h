#pragma once

#include <optional>

#include "kernels/schedules/kernel_choice.h"

namespace opbench {

/// One config of a unit's kernel with what it costs.
struct UnitConfig {
  KernelChoice kernel;
  double one_ms = 0;             ///< measured alone on one thread
  std::optional<double> two_ms;  ///< on two threads; nothing: not measured
  double resident_bytes =
      0;                  ///< of operands as the kernel reads them, result and scratch: modelled
  double dram_bytes = 0;  ///< that a call moves at least, nothing being in caches: modelled
};

}  // namespace opbench
