#pragma once

#include <atomic>

namespace opbench {

/// While it lives, the first Ctrl-C (or SIGTERM) only sets a flag, so that a command can
/// finish and write what exists; the second ends the program at once.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  const std::atomic<bool>& flag() const;
};

}  // namespace opbench
