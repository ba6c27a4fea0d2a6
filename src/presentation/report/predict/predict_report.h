#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/model_prediction.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// Where a prediction for another configuration of this machine comes from.
struct ConfigurationChange {
  std::string from, to;  ///< `threads=2,target=avx2,neighbour=none`
  size_t pairs = 0;      ///< units that the ratio was learnt from
};

/// What is known of a device that has no predictor.
struct DeviceKnowledge {
  std::string device;
  size_t labels = 0, probes = 0;      ///< times that were measured there
  double typical_error = 0;           ///< of one that was left out, as a share; 0: not known
  std::vector<std::string> left_out;  ///< times that were not used, with the reason
};

/// A prediction with what it is for.
struct PredictReport {
  std::string model;
  bool is_workload = false;
  double level = 0.9;  ///< of the intervals
  ModelPrediction prediction;
  std::map<std::string, int64_t> missing;  ///< operators without a time; the total is then a bound
  std::string predictor;                   ///< its id
  std::string engine;
  int threads = 1;
  std::string stale;  ///< why the predictor may be wrong here; empty: nothing is known
  std::optional<ConfigurationChange> change = {};
  std::optional<DeviceKnowledge> device = {};
};

/// `14.2 ms [12.9, 15.8]`: the words that open the report, and what it does not cover.
std::string predict_summary(const PredictReport& report);

/// A row a unit.
TextTable predict_table(const PredictReport& report);

/// Schema `opbench.predict/1`.
std::string predict_json(const PredictReport& report);

}  // namespace opbench
