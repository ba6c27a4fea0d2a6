#include "records/record/predicted_records.h"

#include <nlohmann/json.hpp>

#include "records/record/profile_records.h"
#include "records/record/record_environment.h"

namespace opbench {
namespace {

JsonText predicted_records_text_of(const Json& json) { return {canonical_text(json)}; }

BenchmarkRecord start(const PredictedRun& run) {
  BenchmarkRecord record;
  record.timestamp = run.timestamp;
  record.status = "ok";
  record.kind = "predicted";
  record.run_id = run.run_id;
  record.model = run.model;
  record.engine = run.engine;
  record.argv = run.argv;
  record.reproducer = shell_text(run.argv);
  if (!run.target.empty()) record.target = run.target;
  record.runtime_config = predicted_records_text_of({{"num_cpu_threads", run.threads}});
  if (!run.source.empty())
    record.workload_metadata = predicted_records_text_of({{"source", run.source}});
  add_environment(run.environment, record);
  return record;
}

Json prediction_of(const PredictedRun& run, const PredictedMs& time) {
  Json prediction = {{"predictor", run.predictor}, {"median_ms", time.median}};
  if (time.is_assumed) return prediction;
  prediction["low_ms"] = time.low;
  prediction["high_ms"] = time.high;
  prediction["interval_percent"] = run.interval_percent;
  return prediction;
}

BenchmarkRecord model_record(const PredictedRun& run) {
  BenchmarkRecord record = start(run);
  record.scope = "model";
  record.workload = run.model;
  record.count = 1;
  Json prediction = prediction_of(run, run.total);
  prediction["in_range"] = run.is_in_range;
  prediction["is_lower_bound"] = run.is_lower_bound;
  record.prediction = predicted_records_text_of(prediction);
  if (!run.missing.empty())
    record.workload_args = predicted_records_text_of({{"without_time", run.missing}});
  return record;
}

BenchmarkRecord unit_record(const PredictedRun& run, const PredictedUnitRow& unit) {
  BenchmarkRecord record = start(run);
  record.scope = "unit";
  const UnitIdentity& identity = unit.identity;
  const std::string workload = workload_text(identity);
  record.workload = "opbench." + workload;
  record.workload_args = predicted_records_text_of({{"operator", identity.operator_text},
                                                    {"shapes", short_shapes(identity)},
                                                    {"workload", workload}});
  record.compilation_config = predicted_records_text_of({{"schedule", identity.schedule},
                                                         {"layouts", identity.blocks},
                                                         {"config", Json(unit.config)}});
  record.nodes = identity.nodes;
  record.count = unit.count;
  Json prediction = prediction_of(run, unit.time);
  if (unit.isolated_ms) prediction["isolated_ms"] = *unit.isolated_ms;
  prediction["in_range"] = unit.is_in_range;
  if (!unit.is_in_range) prediction["in_range_reason"] = unit.why_not;
  record.prediction = predicted_records_text_of(prediction);
  return record;
}

}  // namespace

std::vector<BenchmarkRecord> records_of(const PredictedRun& run) {
  std::vector<BenchmarkRecord> records;
  if (!run.is_workload) records.push_back(model_record(run));
  for (const PredictedUnitRow& unit : run.units) records.push_back(unit_record(run, unit));
  assign_record_ids(records);
  return records;
}

}  // namespace opbench
