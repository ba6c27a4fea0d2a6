#pragma once

namespace opbench {

/// What it costs to take the time with std::chrono::steady_clock.
struct ClockCost {
  double resolution_ns = 0;  ///< the least difference above zero between two readings
  double overhead_ns = 0;    ///< of one reading, the least over many batches
};

/// Measures for about a millisecond.
ClockCost measure_clock();

}  // namespace opbench
