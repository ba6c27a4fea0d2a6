#pragma once

#include <map>
#include <vector>

#include "experiments/serve/serving_engine.h"
#include "planning/serve/serving_controller.h"

namespace opbench {

/// The workers of an engine under a controller: launches run on their CPUs, and time is that of the
/// engine's monotonic clock. Holds an arena for each query that has begun.
class EngineWorkers : public ServingWorkers {
 public:
  /// Its clock begins a moment after this call. Errors of ServingEngine::advance.
  static Result<EngineWorkers> begin(ServingEngine& engine, const ServingSystem& system);

  Result<void> start(const StartedLaunch& launch) override;
  void forget(int query) override;
  Result<ServingEvent> wait(double until_ms) override;

 private:
  struct Held {
    size_t model = 0;
    size_t arena = 0;
    size_t next_segment = 0;  ///< of those that were launched, the first that has not ended
  };

  EngineWorkers(ServingEngine& engine, const ServingSystem& system);

  ServingEngine* engine_;
  const ServingSystem* system_;
  double start_s_ = 0;                            ///< when its clock begins, by the engine's
  double now_s_ = 0;                              ///< the engine's last answer
  std::vector<std::vector<size_t>> free_arenas_;  ///< by model; the one used last at the end
  std::map<int, Held> held_;                      ///< by query
  std::vector<StartedLaunch> asked_;              ///< since the last wait
};

}  // namespace opbench
