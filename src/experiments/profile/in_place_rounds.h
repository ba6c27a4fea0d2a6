#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/lane.h"
#include "measuring/sampling/in_place.h"
#include "measuring/sampling/request_cost.h"

namespace opbench {

/// In-place times of one lane.
struct LaneInPlace {
  std::optional<InPlace> times;
  std::optional<Failure> failure;
  std::string units;  ///< JSON list as the engine's reply names them; empty when it does not
  std::map<int, double> peak_memory_mb;  ///< by process, as far as the engine says
  RequestCost cost;                      ///< of its requests, as seen so far
};

struct RoundOptions {
  Seconds budget{4};  ///< for each lane
  int processes = 3;
  int rounds = 2;
  int64_t runs = 0;     ///< of each lane in all; 0: what the budget pays for
  int64_t warm_up = 0;  ///< untimed runs before them in each process; 0: a few
  uint64_t seed = 0;
  double clock_step_ms = 0;  ///< of the clock that times runs
  double noise_percent = 0;  ///< by which the reference kernel varied
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(size_t lane, int done, int total)> progress;
};

/// The models of several lanes, which take turns: what disturbs the machine for a while meets all
/// engines alike. `engines[i]` is the runner's index of lane i.
struct InPlaceLanes {
  std::vector<const Lane*> lanes;
  std::vector<int> engines;
};

/// Untimed runs in every process: they load what an engine loads late, and show what requests cost.
/// A lane that fails has its failure.
std::vector<LaneInPlace> warm_up_in_place(const InPlaceLanes& lanes, EngineRunner& runner,
                                          Clock& clock, const RoundOptions& options);

/// Profiles the lanes in rounds: in each round every lane in every process, as often as its budget
/// pays for by the clock, once at least. Where requests have a high fixed cost, few of them make
/// many runs each. `started`: what warm_up_in_place returned.
std::vector<LaneInPlace> profile_in_rounds(const InPlaceLanes& lanes, EngineRunner& runner,
                                           Clock& clock, const RoundOptions& options,
                                           std::vector<LaneInPlace> started);

}  // namespace opbench
