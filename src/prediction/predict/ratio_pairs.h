#pragma once

#include <string>
#include <vector>

#include "prediction/predict/configuration.h"
#include "prediction/predict/unit_sample.h"
#include "prediction/predict/wave_scaling.h"

namespace opbench {

/// One unit in two configurations of a machine.
struct RatioPair {
  std::string workload;  ///< canonical text: pairs of equal workloads are left out together
  Configuration from, to;
  UnitFeatures from_features, to_features;
  double from_s = 0;
  double to_s = 0;  ///< 0: to be predicted
};

/// Equal for samples of one unit in different configurations, whose channel blocks and schedules
/// may differ: the canonical workload, and of a change of layout also its direction.
std::string unit_key(const UnitSample& sample);

/// The time that configurations are compared by: inside its model, else alone; 0 without either.
double compared_seconds(const UnitSample& sample);

/// The units that both sets have a time of. Of several samples of a unit the fastest counts.
std::vector<RatioPair> pairs_of(const SampleSet& from, const Configuration& from_configuration,
                                const SampleSet& to, const Configuration& to_configuration);

/// Whether a pair teaches something about a change: every key changes as it does there, or stays
/// as it is in both.
bool is_alike(const RatioPair& pair, const Configuration& from, const Configuration& to);

}  // namespace opbench
