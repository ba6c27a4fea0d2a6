#pragma once

#include <map>
#include <optional>
#include <string>

#include "prediction/units/model_prediction.h"
#include "presentation/report/text_table.h"

namespace opbench {

/// Where a prediction for another configuration of this machine comes from.
struct ConfigurationChange {
  std::string from, to;  ///< `threads=2,target=avx2,neighbour=none`
  size_t pairs = 0;      ///< units that the ratio was learnt from
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
};

/// `14.2 ms [12.9, 15.8]`: the words that open the report, and what it does not cover.
std::string predict_summary(const PredictReport& report);

/// A row a unit.
TextTable predict_table(const PredictReport& report);

/// Schema `opbench.predict/1`.
std::string predict_json(const PredictReport& report);

}  // namespace opbench
