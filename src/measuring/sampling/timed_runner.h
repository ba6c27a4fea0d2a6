#pragma once

#include <vector>

#include "measuring/sampling/sample_runner.h"

namespace opbench {

/// A runner that notes how much longer than its calls a request takes.
class TimedRunner {
 public:
  TimedRunner(Runner& runner, Clock& clock) : runner_(runner), clock_(clock) {}

  /// The runner's samples. A failure when there are none.
  Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls);

  Outcome<void> recover(size_t item, int process) { return runner_.recover(item, process); }

  /// Seconds that a visit costs besides its calls, in the mean so far: a message, and for an engine
  /// that lets its threads fall asleep after each, far more.
  double visit_s() const;

 private:
  Runner& runner_;
  Clock& clock_;
  double sum_s_ = 0;
  int requests_ = 0;
};

}  // namespace opbench
