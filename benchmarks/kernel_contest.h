#pragma once

#include <string>
#include <vector>

#include "kernel_contender.h"
#include "kernel_rows.h"
#include "opbench/analysis/profile_request.h"

namespace opbench {

/// How kernels are timed against their peers.
struct ContestOptions {
  int threads = 1;
  double budget_s = 1;  ///< for each shape and peer
  CacheMode cache = CacheMode::kHot;
  int beam = 4;            ///< of the search of adams2019
  bool is_checked = true;  ///< results are compared with another engine's first
};

/// Kernels of one target against oneDNN's own choice and its fastest algorithm, by `compare`: all
/// sides in turn, each in the layouts that it likes best, conversions left out. Two rows a shape; a
/// shape that could not be timed has the reason. Errors are those of run_compare().
Result<std::vector<KernelRow>> compare_with_engines(const std::vector<KernelContender>& contenders,
                                                    const ContestOptions& options);

/// A kernel against what an autoscheduler of Halide makes of the plain algorithm on row-major
/// tensors, in a process of its own that both share: the same threads, calls in turn. What went
/// wrong there is the row's reason.
KernelRow duel_with(const std::string& autoscheduler, const KernelContender& contender,
                    const ContestOptions& options);

}  // namespace opbench
