#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/errors/failure.h"
#include "engines/runtime/loaded_package.h"

namespace opbench {

/// Runs single steps of a loaded package on memory of their own: to time and to check them.
class UnitBench {
 public:
  /// The package must outlive the bench.
  explicit UnitBench(LoadedPackage& package) : package_(package) {}

  /// The step with its own buffers for all but weights, filled with values in -1 … 1. Made once.
  /// `kInvalidInput` if there is no such step or it cannot be bound.
  Result<BoundStep*> isolated(size_t step);

  /// The buffers that `isolated` made for the step; empty before it has.
  std::span<const std::byte> memory_of(size_t step) const;

  /// One call of a step on the operands that are not weights (in order, dense row-major), with
  /// guards around all memory that it may write. `cpu_s`: CPU seconds of this thread. kRunError if
  /// the operands do not fit, the call fails, or a guard is overwritten.
  Outcome<std::vector<Tensor>> run_checked(size_t step, const std::vector<Tensor>& operands,
                                           double* cpu_s = {});

 private:
  struct Isolated {
    PageBuffer memory;
    BoundStep step;
  };
  LoadedPackage& package_;
  std::vector<std::unique_ptr<Isolated>> isolated_;  ///< by step; null: not made yet
};

}  // namespace opbench
