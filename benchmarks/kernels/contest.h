#pragma once

#include <string>
#include <vector>

#include "benchmarks/kernels/contender.h"
#include "benchmarks/kernels/rows.h"
#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// How kernels are timed against their peers.
struct ContestOptions {
  int threads = 1;
  double budget_s = 1;  ///< for each shape and peer
  CacheMode cache = CacheMode::kHot;
};

/// Kernels of one target against oneDNN's own choice and its fastest algorithm, by `compare`: all
/// sides in turn, each in the layouts that it likes best, conversions left out. Two rows a shape; a
/// shape that could not be timed has the reason. Errors are those of run_compare().
Result<std::vector<KernelRow>> compare_with_engines(const std::vector<KernelContender>& contenders,
                                                    const ContestOptions& options);

/// A row that says what our kernel is, before anything is timed.
KernelRow begun_row(const KernelContender& contender, const std::string& peer, int threads);

/// Enters our time of a call, and with it our rate.
void set_our_time(KernelRow& row, double milliseconds, const Workload& workload);

/// The CPUs that calls on so many threads are pinned to.
Result<std::vector<int>> contest_cpus(int threads);

}  // namespace opbench
