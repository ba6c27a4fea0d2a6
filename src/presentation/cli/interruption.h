#pragma once

#include <atomic>

namespace opbench {

/// From here on Ctrl-C (or SIGTERM, or SIGHUP where it is not ignored, as by `nohup`) ends the
/// program with 130, whatever it waits for.
void end_when_interrupted();

/// While it lives, the first of these signals only sets a flag, so that a command can
/// finish and write what exists; the second ends the program at once, and so does the first in an
/// OutsideWait.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Measuring is over: what follows ends at the first signal. The flag stays as it is.
  void end() const;

  const std::atomic<bool>& flag() const;
};

}  // namespace opbench
