#include "presentation/cli/predict/kept_prediction.h"

#include "base/system/seconds.h"
#include "experiments/sessions/run_identity.h"
#include "machine/facts/environment.h"
#include "machine/target/parse_target.h"
#include "presentation/cli/records/kept_records.h"
#include "records/record/predicted_records.h"

namespace opbench {
namespace {

PredictedMs ms_of(const PredictedTime& time) {
  return {.median = s_to_ms(time.median_s),
          .low = s_to_ms(time.low_s),
          .high = s_to_ms(time.high_s),
          .is_assumed = time.is_assumed};
}

PredictedUnitRow unit_of(const PredictedRow& row, bool is_workload) {
  PredictedUnitRow unit{.identity = row.identity,
                        .config = row.config,
                        .count = row.count,
                        .time = ms_of(is_workload ? row.time.isolated : row.time.in_model),
                        .is_in_range = row.time.is_in_range,
                        .why_not = row.time.why_not};
  if (!is_workload) unit.isolated_ms = s_to_ms(row.time.isolated.median_s);
  return unit;
}

Result<PredictedRun> run_of(const PredictReport& report, const std::vector<std::string>& argv) {
  OPBENCH_TRY(const Target target, parse_target("host"));
  PredictedRun run{.timestamp = utc_now(),
                   .model = report.model,
                   .is_workload = report.is_workload,
                   .engine = report.engine,
                   .threads = report.threads,
                   .target = display_text(target),
                   .predictor = report.predictor,
                   .interval_percent = report.level * 100,
                   .total = ms_of(report.prediction.total),
                   .is_lower_bound = !report.missing.empty(),
                   .is_in_range = report.prediction.out_of_range == 0,
                   .argv = argv,
                   .environment = capture_environment()};
  run.run_id = run_id_of(run.timestamp, report.predictor);
  for (const auto& [name, count] : report.missing) run.missing.push_back(name);
  for (const PredictedRow& row : report.prediction.units) {
    // Changes of layout around a workload are no part of it.
    const bool is_around = report.is_workload && row.identity.nodes.empty();
    if (is_around && report.prediction.units.size() > 1) continue;
    run.units.push_back(unit_of(row, report.is_workload));
  }
  return run;
}

}  // namespace

Result<void> keep_prediction(const PredictReport& report, const std::vector<std::string>& argv,
                             const std::string& file, Terminal& terminal) {
  OPBENCH_TRY(const PredictedRun run, run_of(report, argv));
  const std::vector<BenchmarkRecord> records = records_of(run);
  return keep_records(records, file, terminal);
}

}  // namespace opbench
