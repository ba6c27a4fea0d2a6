#pragma once

#include <span>
#include <string>
#include <vector>

#include "benchmarks/kernels/contest.h"

namespace opbench {

/// How autoschedulers are asked.
struct AutoschedulerOptions {
  int threads = 1;                ///< that kernels are arranged for; they run on fewer too
  int beam = 32;                  ///< width of the search of adams2019: Halide's default
  std::filesystem::path objects;  ///< folder where what they make is kept
};

/// Has every autoscheduler named compile what is not kept yet of these shapes, each in a process of
/// its own, on all CPUs. Where it refuses, ends its process or takes more than five minutes, the
/// reason is written down for duel_with(). `kSystem` when nothing can be written.
Result<void> compile_ahead(std::span<const KernelContender> contenders,
                           const std::vector<std::string>& autoschedulers,
                           const AutoschedulerOptions& options);

/// A kernel against what an autoscheduler makes of the plain algorithm on row-major tensors
/// (compile_ahead), both in one process: the same threads, calls in turn. The fastest of its right
/// kernels counts. What went wrong is the row's reason.
KernelRow duel_with(const std::string& autoscheduler, const KernelContender& contender,
                    const ContestOptions& options, const AutoschedulerOptions& theirs);

}  // namespace opbench
