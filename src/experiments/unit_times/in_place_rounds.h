#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/engine_run.h"
#include "measuring/sampling/in_place.h"
#include "measuring/sampling/paired_rounds.h"
#include "measuring/sampling/request_cost.h"

namespace opbench {

/// The model's time in one visit to an engine run.
struct VisitTime {
  int process = 0;
  double plain_s = 0;  ///< median of the plain runs
  std::string cause;   ///< why most of these runs do not count (flag_of); empty: they do
  bool operator==(const VisitTime&) const = default;
};

/// From the runs of a visit, made with `threads` threads; there is one at least.
VisitTime visit_time_of(const std::vector<ProfileRun>& runs, int process, int threads);

/// In-place times of one engine run.
struct RunInPlace {
  std::optional<InPlace> times;
  std::optional<Failure> failure;
  std::string units;  ///< JSON list as the engine's reply names them; empty when it does not
  std::map<int, double> peak_memory_mb;  ///< by process, as far as the engine says
  RequestCost cost;                      ///< of its requests, as seen so far
  std::map<int, VisitTime> visits = {};  ///< by number of the visit

  /// The engine does not know `profile`: it may run the model all the same.
  bool lacks_profiler() const { return failure && failure->kind == FailureKind::kUnsupported; }
};

struct RoundOptions {
  Seconds budget{4};  ///< for each engine run
  int processes = 3;
  int rounds = 2;
  int64_t runs = 0;     ///< of each engine run in all; 0: what the budget pays for
  int64_t warm_up = 0;  ///< untimed runs before them in each process; 0: a few
  uint64_t seed = 0;
  double clock_step_ms = 0;  ///< of the clock that times runs
  double noise_percent = 0;  ///< by which the reference kernel varied
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(size_t engine_run, int done, int total)> progress;
  /// Called before each visit to an engine run, and after it with false; may be empty.
  std::function<void(size_t engine_run, bool is_at_work)> beside = {};
};

/// The models of several engine runs, which take turns: what disturbs the machine for a while meets
/// all engines alike. `engines[i]` is the runner's index of engine run i.
struct InPlaceRuns {
  std::vector<const EngineRun*> engine_runs;
  std::vector<int> engines;
};

/// Untimed runs in every process: they load what an engine loads late, and show what requests cost.
/// A engine run that fails has its failure.
std::vector<RunInPlace> warm_up_in_place(const InPlaceRuns& engine_runs, EngineRunner& runner,
                                         Clock& clock, const RoundOptions& options);

/// Profiles the engine runs in rounds: in each round every engine run in every process, as often as
/// its budget pays for by the clock, once at least. Every second visit goes through the engine runs
/// in reverse. Where requests have a high fixed cost, few of them make many runs each. `started`:
/// what warm_up_in_place returned.
std::vector<RunInPlace> profile_in_rounds(const InPlaceRuns& engine_runs, EngineRunner& runner,
                                          Clock& clock, const RoundOptions& options,
                                          std::vector<RunInPlace> started);

/// The visits that all engine runs have, as rounds of a paired comparison: a side for each engine
/// run.
std::vector<PairedRound> paired_visits(const std::vector<RunInPlace>& engine_runs);

}  // namespace opbench
