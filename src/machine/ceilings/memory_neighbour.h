#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "base/errors/error.h"

namespace opbench {

/// Keeps memory busy from its start until it is destroyed: a thread of this process, pinned to one
/// CPU, whose triad a[i] = b[i] + c[i] / 2 (McCalpin's STREAM, 1995) walks 192 MiB again and again.
class MemoryNeighbour {
 public:
  /// Returns when it moves data. `kInvalidInput` for a CPU that cannot be used, `kSystem` without
  /// memory or a thread for it.
  static Result<std::unique_ptr<MemoryNeighbour>> start(int cpu);
  MemoryNeighbour(const MemoryNeighbour&) = delete;
  MemoryNeighbour& operator=(const MemoryNeighbour&) = delete;
  ~MemoryNeighbour();

 private:
  MemoryNeighbour() = default;

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace opbench
