#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/facts/environment.h"
#include "model/operators/workloads/unit_identity.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// A time that was told without a run, in milliseconds a call.
struct PredictedMs {
  double median = 0;
  double low = 0;
  double high = 0;
  bool is_assumed = false;  ///< low and high promise nothing: the record has no interval
};

/// A unit that was predicted.
struct PredictedUnitRow {
  UnitIdentity identity;
  std::map<std::string, int64_t> config;
  int64_t count = 1;
  PredictedMs time;
  std::optional<double> isolated_ms;  ///< of a unit of a model
  bool is_in_range = true;
  std::string why_not;  ///< what is outside of what the predictor has seen
};

/// What one prediction told, and with what.
struct PredictedRun {
  std::string run_id;
  std::string timestamp;  ///< RFC 3339, UTC
  std::string model;      ///< or a workload's text
  bool is_workload = false;
  std::string source;  ///< where the model came from
  std::string engine;
  int threads = 1;
  std::string target;  ///< whose kernels; display form
  std::string predictor;
  double interval_percent = 90;
  PredictedMs total;
  bool is_lower_bound = false;       ///< operators of the model have no time
  std::vector<std::string> missing;  ///< names of these
  bool is_in_range = true;           ///< of all units
  std::vector<PredictedUnitRow> units;
  std::vector<std::string> argv;
  Environment environment;
};

/// One record of kind `predicted` a unit and, unless a workload was predicted, one for the model;
/// with ids. They have no measured time.
std::vector<BenchmarkRecord> records_of(const PredictedRun& run);

}  // namespace opbench
