#pragma once

#include <span>
#include <vector>

#include "measuring/results/statistics.h"
#include "planning/serve/serving_simulation.h"

namespace opbench {

/// What one simulated run is judged by.
struct ServingFigures {
  double violations = 0;        ///< share of queries that were answered late or dropped
  double worst_violations = 0;  ///< the same share of the model with the most
  double dropped = 0;           ///< share of queries
  double goodput_per_s = 0;     ///< queries answered in time, a second
  double work_in_time = 0;      ///< share of the queries' solo time that was answered in time
  double median_ms = 0, p95_ms = 0, p99_ms = 0;  ///< latency of those that were answered
  double utilisation = 0;                        ///< share of the workers' time that launches took
  bool operator==(const ServingFigures&) const = default;
};

ServingFigures figures_of(const ServingSystem& system, const std::vector<Query>& queries,
                          const ServingRun& run);

/// Where a figure can lie: shares between 0 and 1, times and rates not below 0.
Interval range_of(double ServingFigures::*figure);

/// A mean over seeds with its 95 % interval by Student's t.
struct SeedMean {
  double value = 0;
  Interval interval;
  bool has_interval = false;  ///< one seed has none: both ends are the value then
  bool excludes(double number) const {
    return has_interval && (interval.low > number || interval.high < number);
  }
};

/// Student's interval knows nothing of where values can lie: the part within `range` counts.
SeedMean mean_over_seeds(std::span<const double> values, Interval range);

}  // namespace opbench
