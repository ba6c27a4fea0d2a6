#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "engines/runtime/bound_step.h"
#include "engines/runtime/loaded_package.h"
#include "engines/runtime/page_buffer.h"
#include "engines/runtime/teams/team.h"

namespace opbench {

/// Consecutive steps of a program, [first, end).
struct StepRange {
  size_t first = 0;
  size_t end = 0;
};

/// The packages of one model, one for each size of team: other kernels, the same values in the same
/// places.
using TeamPackages = std::vector<LoadedPackage*>;

/// Whether a query may go on with the kernels of another package. `kInvalidInput` that names the
/// first value that lies elsewhere.
Result<void> check_same_values(const TeamPackages& packages);

/// The values of one query, whose steps run one range after the other, each by any team. The
/// packages must outlive it.
class QueryArena {
 public:
  /// With the inputs that the first package has now. Errors of check_same_values, and
  /// `kInvalidInput` where a step cannot be bound.
  static Result<std::unique_ptr<QueryArena>> make(const TeamPackages& packages);

  /// By the leader: the steps by the kernels of `packages[size]`; members of the team help with
  /// loops. `worker` is for step_watch. Returns 0, or the first error code of a kernel, at which
  /// steps end.
  int run(size_t size, const StepRange& steps, Team& team, size_t worker);

  size_t steps() const { return steps_.front().size(); }
  /// A copy of graph output `index`.
  Tensor output(size_t index) const;
  /// Overwrites all values but the inputs.
  void poison();

 private:
  explicit QueryArena(const TeamPackages& packages);
  std::byte* memory_of(const LoadedPackage& package, const Slot& slot) const;

  TeamPackages packages_;
  PageBuffer memory_;
  KernelContext context_;
  std::vector<std::vector<BoundStep>> steps_;  ///< by size of team
  std::vector<std::string> texts_;             ///< by step, for step_watch
};

}  // namespace opbench
