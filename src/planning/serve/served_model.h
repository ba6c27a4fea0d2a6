#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/timed_graph.h"

namespace opbench {

/// A run of units that, once started, is not interrupted.
struct Segment {
  size_t first_unit = 0;
  size_t units = 1;
  std::vector<double> times_ms;  ///< for each size in ServingSystem::teams
  bool operator==(const Segment&) const = default;
};

/// A model as a chain of segments.
struct ServedModel {
  std::string name;
  std::vector<Segment> segments;
  bool operator==(const ServedModel&) const = default;
};

/// What serves: workers, the sizes of teams that they form, and the models that are asked for.
struct ServingSystem {
  int workers = 2;
  std::vector<int> teams = {1, 2};  ///< ascending, the first is 1, none above `workers`
  std::vector<ServedModel> models;
  bool operator==(const ServingSystem&) const = default;
};

/// Cuts the units, in their order, into `most_segments` runs, or as many as there are units. Of all
/// cuts the one with the smallest sum of squared times on one worker, so that no segment is longer
/// than it must be. The times of a segment are the sums over its units. The graph passes
/// check_timed and has a unit at least.
ServedModel cut_into_segments(std::string name, const TimedGraph& timed, int most_segments);

/// Joins neighbouring segments until each takes `least_ms` at least on its fastest team, or the
/// model is one segment: what a launch costs must be little beside what it runs.
ServedModel with_longer_segments(const ServedModel& model, double least_ms);

/// `kInvalidInput` that names the model: no models, team sizes that do not begin with 1 or do not
/// ascend, a model without segments, times that are missing, not above 0 or not finite.
Result<void> check_serving(const ServingSystem& system);

/// The time of a whole model from a segment on, for every team.
class RestTimes {
 public:
  explicit RestTimes(const ServingSystem& system);

  /// Of the segments from `segment` on by one team; 0 at the end.
  double rest_ms(size_t model, size_t segment, size_t team) const {
    return rests_[model][segment][team];
  }
  /// The same by the fastest team.
  double fastest_ms(size_t model, size_t segment) const;

 private:
  std::vector<std::vector<std::vector<double>>> rests_;
};

/// The time of a query alone: each segment by the team that is fastest for it.
double solo_ms(const ServingSystem& system, size_t model);

/// Queries a millisecond that no policy can exceed without slow-downs or savings: all workers
/// always busy, every segment by the team that takes the least time of workers, models asked for
/// equally often.
double capacity_per_ms(const ServingSystem& system);

}  // namespace opbench
