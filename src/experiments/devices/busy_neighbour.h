#pragma once

#include "base/errors/error.h"

namespace opbench {

/// A process that keeps a CPU, the last cache and the memory busy while something is measured on
/// another CPU: it adds to 64 MiB over and over. It ends with this object, and with the program.
class BusyNeighbour {
 public:
  /// `kSystem` when no process can be started, or not on that CPU.
  static Result<BusyNeighbour> start(int cpu);
  BusyNeighbour(BusyNeighbour&& other) noexcept;
  BusyNeighbour& operator=(BusyNeighbour&&) = delete;
  BusyNeighbour(const BusyNeighbour&) = delete;
  BusyNeighbour& operator=(const BusyNeighbour&) = delete;
  ~BusyNeighbour();

  int process() const { return process_; }

  /// Lets it work on after pause(), or stops it until then. It works from its start on.
  void resume() const;
  void pause() const;

 private:
  explicit BusyNeighbour(int process) : process_(process) {}
  int process_ = -1;
};

}  // namespace opbench
