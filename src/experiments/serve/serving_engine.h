#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "engines/client/engine_launch.h"
#include "engines/client/engine_process.h"
#include "measuring/sampling/engine_runner.h"
#include "planning/serve/served_model.h"

namespace opbench {

/// What an engine says when a launch has ended.
struct ServedLaunch {
  int query = 0;
  std::vector<std::pair<double, double>> segments_s;  ///< start and end, by the engine's clock
};

struct EngineMoment {
  double now_s = 0;  ///< by the engine's clock
  std::vector<ServedLaunch> ended;
};

/// The packages of one model.
struct ServedPackages {
  std::string model;
  std::vector<Preparation> by_team;  ///< one for each size of team
  double bytes = 0;                  ///< of all of them: weights and values
  double value_bytes = 0;            ///< of one query
};

/// Whether all fit into memory together, with so many queries of each in flight. `kEnvironment`
/// with the sizes if they do not.
Result<void> check_memory_of(const std::vector<ServedPackages>& models, size_t in_flight);

/// An engine process that serves models: a worker on each CPU, and for each model as many arenas as
/// queries of it may be in flight.
class ServingEngine {
 public:
  /// `command`: of an engine that takes packages. Errors of check_memory_of, before anything
  /// starts; `kPartial` where the engine fails, or makes other outputs by segments than in order.
  static Result<std::unique_ptr<ServingEngine>> start(EngineCommand command,
                                                      const std::vector<ServedPackages>& models,
                                                      size_t in_flight,
                                                      const std::atomic<bool>* cancel);

  /// Starts the launches, given as the protocol's `advance` takes them, and waits until
  /// `until_s` for one to end. `kPartial` where a kernel fails or the engine dies, `kInterrupted`.
  Result<EngineMoment> advance(Json launches, double until_s);

  size_t in_flight() const { return in_flight_; }
  bool has_raised_priority() const { return has_raised_priority_; }

 private:
  ServingEngine(std::unique_ptr<EngineProcess> process, size_t in_flight,
                const std::atomic<bool>* cancel)
      : process_(std::move(process)), in_flight_(in_flight), cancel_(cancel) {}
  Result<Json> call(const std::string& method, const Json& params, Seconds limit);
  Result<void> prepare(const std::vector<ServedPackages>& models, const std::vector<int>& cpus);

  std::unique_ptr<EngineProcess> process_;
  size_t in_flight_;
  const std::atomic<bool>* cancel_;
  bool has_raised_priority_ = false;
};

/// A launch as `advance` takes it.
Json launch_json(const ServedModel& model, size_t model_index, int query, size_t arena, size_t team,
                 std::pair<size_t, size_t> segments, const std::vector<int>& workers);

}  // namespace opbench
