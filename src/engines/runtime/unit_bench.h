#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/errors/failure.h"
#include "engines/runtime/loaded_package.h"

namespace opbench {

/// A step on operands and results of its own.
class UnitCall {
 public:
  /// The operands that are not weights, in order, dense row-major; the results are overwritten with
  /// ones in every bit. kRunError if the operands do not fit or the step cannot be bound.
  static Outcome<std::unique_ptr<UnitCall>> make(LoadedPackage& package, size_t step,
                                                 const std::vector<Tensor>& operands);
  /// The kernel's code: 0 is well. Returns when a device has ended it.
  int run();
  ~UnitCall();
  bool is_intact();  ///< nothing was written outside of its memory, which a device gives back here
  std::vector<Tensor> results() const;  ///< after `is_intact`

 private:
  class GuardedBuffer;
  explicit UnitCall(LoadedPackage& package);
  LoadedPackage& package_;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
  std::vector<std::pair<const Slot*, const std::byte*>> results_;
  std::optional<BoundStep> bound_;
};

/// Runs single steps of a loaded package on memory of their own: to time and to check them.
class UnitBench {
 public:
  /// The package must outlive the bench.
  explicit UnitBench(LoadedPackage& package) : package_(package) {}

  /// The step with its own buffers for all but weights, filled with values in -1 … 1. Made once;
  /// but where a device has no room for it beside those of other steps, they are gone then.
  /// `kInvalidInput` if there is no such step or it cannot be bound; the device's errors.
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
    std::vector<std::unique_ptr<DeviceBlock>> blocks;  ///< of a device
    BoundStep step;
  };
  Result<std::unique_ptr<Isolated>> make_isolated(size_t step) const;

  LoadedPackage& package_;
  std::vector<std::unique_ptr<Isolated>> isolated_;  ///< by step; null: not made yet
};

}  // namespace opbench
