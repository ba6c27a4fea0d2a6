#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opbench/analysis/lane.h"
#include "opbench/measure/in_place.h"

namespace opbench {

/// In-place times of one lane.
struct LaneInPlace {
  std::optional<InPlace> times;
  std::optional<Failure> failure;
  std::string units;  ///< JSON list as the engine's reply names them; empty when it does not
  std::optional<double> peak_memory_mb;
};

struct RoundOptions {
  Seconds budget{4};  ///< for each lane
  int processes = 3;
  int rounds = 2;
  uint64_t seed = 0;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(size_t lane, int done, int total)> progress;
};

/// Profiles the models of several lanes in rounds: in each round every lane in every process, so
/// that what disturbs the machine for a while meets all engines alike. `engines[i]` is the runner's
/// index of lane i.
std::vector<LaneInPlace> profile_in_rounds(const std::vector<const Lane*>& lanes,
                                           const std::vector<int>& engines, EngineRunner& runner,
                                           const RoundOptions& options);

}  // namespace opbench
