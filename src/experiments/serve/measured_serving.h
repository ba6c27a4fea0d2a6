#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/serve/serving_engine.h"
#include "experiments/serve/serving_request.h"
#include "experiments/sessions/session.h"

namespace opbench {

/// The engine that serves a request's models, with a package for each size of team. Errors of
/// Session and ServingEngine::start.
class ServedModels {
 public:
  static Result<ServedModels> open(const ServeRequest& request);

  /// Sets the time of every segment on every size of team to the median over runs of the whole
  /// model by the engine, models in turns. Returns how long a launch takes beside its segments, in
  /// ms: the median of launches of nothing, with the answer and the next request.
  Result<double> time_segments(ServingSystem& system);

  /// Serves the queries of a study by the engine, by these variants of policies only.
  Result<ServingStudy> measure(const ServingSystem& system, StudyOptions options,
                               std::vector<std::string> variants);

  bool has_raised_priority() const { return engine_->has_raised_priority(); }

 private:
  std::vector<std::unique_ptr<Session>> sessions_;  ///< whose folders hold the packages
  std::unique_ptr<ServingEngine> engine_;
};

/// What is measured: ours, and of every other policy the variant with the fewest violations at a
/// load of the simulation.
std::vector<std::string> variants_to_measure(const ServingStudy& simulated);

}  // namespace opbench
