#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// An event of the CPU or the kernel, in the numbers of perf_event_open(2).
struct CounterEvent {
  std::string name;
  uint32_t type = 0;
  uint64_t config = 0;
};

/// What a core counts of its own work: cycles, instructions, references to the last cache, misses
/// in it.
const std::vector<CounterEvent>& core_events();

/// Why this program cannot have these counters, in one line; nothing: it can.
std::optional<std::string> no_counters(const std::vector<CounterEvent>& events = core_events());

/// Counters of all threads that a process has now, in user mode. They run from open() on.
class HardwareCounters {
 public:
  /// `kEnvironment` with the reason of no_counters().
  static Result<HardwareCounters> open(int pid, const std::vector<CounterEvent>& events);
  HardwareCounters(HardwareCounters&& other) noexcept;
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;
  ~HardwareCounters();

  /// Counts since open() by event, all threads together. Where the CPU took turns between events,
  /// they are scaled to the whole time.
  std::map<std::string, double> read() const;

 private:
  HardwareCounters() = default;
  struct Open {
    std::string name;
    int descriptor = -1;
  };
  std::vector<Open> open_;
};

}  // namespace opbench
