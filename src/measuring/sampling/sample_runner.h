#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/errors/failure.h"
#include "base/system/seconds.h"
#include "measuring/results/profile_result.h"

namespace opbench {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Since some fixed moment.
  virtual Seconds now() = 0;
};

/// std::chrono::steady_clock.
class SteadyClock : public Clock {
 public:
  Seconds now() override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

/// Takes samples of items in numbered processes, one request at a time.
class Runner {
 public:
  virtual ~Runner() = default;

  /// `repeats` samples of `number` calls each, after untimed calls that fill both `warm_up` and
  /// `warm_up_calls`. Flags are left empty.
  virtual Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number,
                                               int repeats, Seconds warm_up, int warm_up_calls) = 0;

  /// After a failed measure: makes the process usable for other items again. A failure means that
  /// it is lost for good.
  virtual Outcome<void> recover(size_t item, int process) = 0;
};

}  // namespace opbench
