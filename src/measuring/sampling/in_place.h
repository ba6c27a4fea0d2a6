#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// One step of a `profile` reply: a run without the profiler and one with it, back to back.
struct ProfileRun {
  Sample plain;
  Sample instrumented;
  std::vector<double> units_s;  ///< in the instrumented run, by unit
  int order = 0;                ///< 1: instrumented first
};

/// `runs` of a `profile` reply. Fails when a time is missing or negative, or when runs differ in
/// their number of units.
Outcome<std::vector<ProfileRun>> parse_profile_runs(const Json& result);

/// Where a model's time goes, from its instrumented runs, and how that agrees with its plain ones.
struct InPlace {
  std::vector<double> units_ms;
  std::vector<double> units_error_ms;  ///< standard errors of these means
  double sum_ms = 0;                   ///< of units_ms
  double dispatch_ms = 0;       ///< what an instrumented run takes besides its units and the call
  Measurement end_to_end;       ///< of the plain runs
  double call_overhead_ms = 0;  ///< the part of that which any call of this engine takes
  double gap_percent = 0;       ///< (end to end - (sum + dispatch + call overhead)) / end to end
  std::string inconclusive;     ///< why the gap says nothing; empty: it does
  double profiler_slowdown_percent = 0;
  int64_t runs = 0;    ///< pairs that count: without warm-up and, where enough remain, undisturbed
  int64_t chosen = 0;  ///< the pairs that units_ms are means over
};

/// What tells whether the sum of unit times can be compared with the time of the model.
struct UnitSumOptions {
  bool first_is_warm_up = true;  ///< the first run of a process that has more than five
  double call_floor_ms = 0;      ///< of the engine: a call that computes nothing
  double clock_step_ms = 0;      ///< of the clock that times runs
  double noise_percent = 0;      ///< by which the reference kernel varied before the run
};

/// From the runs of each engine process, made with `threads` threads. A pair of which either run
/// was disturbed, by the causes of `flag_of`, does not count, unless fewer than three of its
/// process would remain.
///
/// Estimator: `end_to_end` is the median of the plain runs, and a typical pair has that plain time
/// and the median ratio of instrumented over plain. The fifth of all pairs nearest to it (five at
/// least) is chosen, by the larger of their two logarithmic distances, and every number (unit, sum,
/// dispatch) is a mean over the instrumented runs of the same chosen pairs. Hence sum + dispatch is
/// exactly the mean total of these runs, without any rescaling; medians unit by unit would not add
/// up, since another run is delayed for each unit. On a machine that changes its speed for a while,
/// a median of the instrumented runs by themselves may fall into another of its moods than that of
/// the plain ones; a pair is made in one mood.
///
/// The profiler's slow-down is the median ratio of the pairs. Fails without runs.
///
/// The gap is inconclusive in three cases: fewer than three pairs, or fewer than a fifth of them,
/// were undisturbed; the machine itself varied too much; or the gap is no larger than the time of
/// an empty call or the steps of the clocks.
Outcome<InPlace> in_place_times(const std::vector<std::vector<ProfileRun>>& by_process, int threads,
                                uint64_t seed, const UnitSumOptions& options = {});

}  // namespace opbench
