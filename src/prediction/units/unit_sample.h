#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prediction/workloads/unit_features.h"

namespace opbench {

/// What is around a unit that runs inside a model, by kModelFeatures: logarithms to base 2 of sums
/// over the model's units; 1 where it is no model but units side by side, which find their operands
/// colder.
using ModelContext = std::array<float, 4>;
constexpr std::array<const char*, 4> kModelFeatures = {"model.weight_bytes", "model.bound_ns",
                                                       "model.units", "model.is_side_by_side"};

/// A unit of a model, so many times.
struct CountedUnit {
  const UnitFeatures* features = nullptr;
  int64_t count = 1;
};
ModelContext context_of(const std::vector<CountedUnit>& units, bool is_side_by_side = false);

/// A unit as it was measured in one model, by the fastest of its visits.
struct UnitSample {
  std::vector<std::string> record_ids;
  std::string model;     ///< where it was measured
  std::string group;     ///< what is left out together: a family of models, else the model
  std::string identity;  ///< canonical workload, layouts, schedule: equal ones are one kernel
  UnitFeatures features;
  ModelContext context = {};
  std::optional<double> isolated_s;  ///< alone
  std::optional<double> in_model_s;  ///< inside the running model
};

/// A model as it was measured, by the fastest of its visits.
struct ModelSample {
  std::vector<std::string> record_ids;
  std::string model;
  std::string group;
  double end_to_end_s = 0;
  double slowest_s = 0;  ///< of the visits
  int visits = 0;
  std::optional<double> dispatch_s;
  std::optional<double> call_overhead_s;
  std::vector<std::pair<size_t, int64_t>> units;  ///< index among the samples, count
};

/// What a predictor is made from: samples of one engine, machine and number of threads.
struct SampleSet {
  std::vector<UnitSample> units;
  std::vector<ModelSample> models;
  std::map<std::string, int64_t> left_out;  ///< records that are not among them, by reason
};

}  // namespace opbench
