#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/swept_times.h"
#include "experiments/sweep/sweep_request.h"
#include "presentation/cli/analysis/sweep_setup.h"

namespace opbench {

/// What was measured of a sweep.
struct MeasuredSweep {
  SweptTimes times;
  std::vector<double> probe_order;  ///< with a budget of probes
  std::string summary;              ///< which points failed; empty: none
};

/// How measuring is watched, kept and ended; see SweepRequest.
struct SweepWatch {
  std::function<bool(const std::vector<BenchmarkRecord>&)> keep;
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* cancel = nullptr;
};

/// Measures every point, or with `probes` above 0 at most so many of the only key's values
/// (probes.h). `kInterrupted` after a cancel. Errors as SweepPlan::make(); with probes `kPartial`
/// for one that fails.
Result<MeasuredSweep> measure_sweep(const SweepSetup& setup, size_t probes, double tolerance,
                                    const std::vector<std::string>& argv, const SweepWatch& watch);

}  // namespace opbench
