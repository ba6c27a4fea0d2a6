#include "machine/facts/clock.h"

#include <algorithm>
#include <chrono>

namespace opbench {

ClockCost measure_clock() {
  using Clock = std::chrono::steady_clock;
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  constexpr int kBatches = 50;
  constexpr int kReadings = 500;
  ClockCost cost{.resolution_ns = 1e9, .overhead_ns = 1e9};
  for (int batch = 0; batch < kBatches; ++batch) {
    const Clock::time_point begin = Clock::now();
    Clock::time_point last = begin;
    for (int reading = 0; reading < kReadings; ++reading) {
      const Clock::time_point now = Clock::now();
      if (now > last)
        cost.resolution_ns = std::min(cost.resolution_ns, Nanoseconds(now - last).count());
      last = now;
    }
    cost.overhead_ns = std::min(cost.overhead_ns, Nanoseconds(last - begin).count() / kReadings);
  }
  return cost;
}

}  // namespace opbench
