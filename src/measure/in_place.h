#pragma once

#include <cstdint>
#include <vector>

#include "opbench/base/failure.h"
#include "opbench/base/json.h"
#include "opbench/measure/profile_result.h"

namespace opbench {

/// One step of a `profile` reply: a run without the profiler and one with it, back to back.
struct ProfileRun {
  double plain_s = 0;
  double instrumented_s = 0;
  std::vector<double> units_s;  ///< in the instrumented run, by unit
  int order = 0;                ///< 1: instrumented first
};

/// `runs` of a `profile` reply. Fails when a time is missing or negative, or when runs differ in
/// their number of units.
Outcome<std::vector<ProfileRun>> parse_profile_runs(const Json& result);

/// Where a model's time goes, from its instrumented runs, and how that agrees with its plain ones.
struct InPlace {
  std::vector<double> units_ms;
  double sum_ms = 0;       ///< of units_ms
  double dispatch_ms = 0;  ///< what an instrumented run takes besides its units
  Measurement end_to_end;  ///< of the plain runs
  double gap_percent = 0;  ///< (end to end - (sum + dispatch)) / end to end
  double profiler_slowdown_percent = 0;
  int64_t runs = 0;    ///< after warm-up
  int64_t chosen = 0;  ///< the runs that units_ms are means over
};

/// From the runs of each engine process. The first of a process is warm-up if it has more than
/// five.
///
/// Estimator: the instrumented runs are ordered by their total, those in the central fifth (five at
/// least) are chosen, and every number (unit, sum, dispatch) is a mean over the same chosen runs.
/// Hence sum + dispatch is exactly the mean total of these runs, without any rescaling: medians
/// unit by unit would not add up, since the run in which one unit is delayed is another for each
/// unit, and would lose the part of the total that delays make up. The central fifth stands for the
/// median run: it ignores up to two fifths of runs that were delayed, and as delays hit plain runs,
/// which alternate with the others, as often, their median has the same meaning and the gap
/// compares like with like. The slow-down compares with the central fifth of the plain runs.
///
/// Fails without runs.
Outcome<InPlace> in_place_times(const std::vector<std::vector<ProfileRun>>& by_process,
                                uint64_t seed);

}  // namespace opbench
