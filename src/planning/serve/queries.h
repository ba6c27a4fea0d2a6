#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/serve/served_model.h"

namespace opbench {

/// One request for one model.
struct Query {
  int id = 0;  ///< its place in the order of arrivals
  size_t model = 0;
  double arrival_ms = 0;
  double deadline_ms = 0;       ///< point in time, not a duration
  std::vector<double> factors;  ///< how much longer than its time each segment takes this time
  bool operator==(const Query&) const = default;
};

/// By when a query has to be answered after its arrival.
struct Deadline {
  double solo_times = 3;  ///< times the model's solo time; 0: `ms` holds
  double ms = 0;
  bool operator==(const Deadline&) const = default;
};

/// `3x` or `20ms` or `20`. `kInvalidInput` for other text and for what is not above 0.
Result<Deadline> parse_deadline(const std::string& text);

/// `3x` or `20 ms`
std::string deadline_text(const Deadline& deadline);

struct QueryOptions {
  double load = 0.8;  ///< of the capacity (capacity_per_ms)
  int count = 1000;
  Deadline deadline;
  double noise = 0.05;  ///< relative standard deviation of each run of a segment
  uint64_t seed = 0;
};

/// Poisson arrivals, a model drawn evenly for each, and for each segment a log-normal factor with
/// mean 1. Equal options give equal queries; with another load only the distances
/// between arrivals are scaled. The system passes check_serving.
std::vector<Query> make_queries(const ServingSystem& system, const QueryOptions& options);

}  // namespace opbench
