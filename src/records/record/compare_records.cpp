#include "records/record/compare_records.h"

#include <utility>

#include "records/record/profile_records.h"

namespace opbench {
namespace {

UnitResult unit_of(const CompareUnit& unit, const std::optional<Measurement>& time,
                   const std::string& reproducer) {
  UnitResult result{.identity = unit.identity,
                    .no_compile_reason = "a comparison does not ask for it",
                    .count = unit.count,
                    .time = time,
                    .reproducer = reproducer,
                    .failure = {},
                    .remark = unit.remark};
  if (!time) {
    const auto kind = unit.is_cancelled ? FailureKind::kCancelled : FailureKind::kRunError;
    result.failure = Failure{kind, unit.reason};
  }
  return result;
}

/// The base's time of the whole model; nothing where only a workload is compared.
std::optional<Measurement> base_model(const CompareResult& comparison) {
  for (const Comparison& pair : comparison.comparisons) {
    if (pair.model.base) return pair.model.base;
  }
  return {};
}

/// One side as if it had been profiled alone.
ProfileResult profile_of(const CompareResult& comparison, const Comparison& pair, size_t side) {
  const ComparedVariant& info = comparison.sides[side];
  const bool is_base = side == pair.base;
  ProfileResult profile{.run_id = comparison.run_id,
                        .timestamp = comparison.timestamp,
                        .model = comparison.model,
                        .source = comparison.source,
                        .sha256 = comparison.sha256,
                        .scope = base_model(comparison) ? "model" : "unit",
                        .target = comparison.target,
                        .batch_size = info.batch_size,
                        .seed = comparison.seed,
                        .cache = comparison.cache,
                        .argv = comparison.argv,
                        .labels = {{"command", "compare"}, {"side", info.label}},
                        .environment = comparison.environment};
  profile.request_json = info.request_json;
  if (!info.build.empty()) profile.labels["side_build"] = info.build;
  if (!info.commit.empty()) profile.labels["side_commit"] = info.commit;
  EngineResult engine{.engine = info.engine,
                      .version = info.version,
                      .versions = info.versions,
                      .device = info.device,
                      .emulator = info.emulator,
                      .threads = info.threads,
                      .cpus = info.cpus,
                      .call_floor_ms = info.call_floor_ms,
                      .check = info.check};
  engine.model.end_to_end = is_base ? base_model(comparison) : pair.model.candidate;
  if (!engine.model.end_to_end) engine.model.end_to_end_reason = pair.model.reason;
  if (pair.model.is_cancelled) {
    engine.model.failure = Failure{FailureKind::kCancelled, pair.model.reason};
  }
  const std::string reproducer = shell_text(comparison.argv);
  for (const CompareUnit& unit : pair.units) {
    engine.units.push_back(unit_of(unit, is_base ? unit.base : unit.candidate, reproducer));
  }
  profile.engines.push_back(std::move(engine));
  return profile;
}

/// What the records of one side are about, in their order.
std::vector<const CompareUnit*> recorded_units(const CompareResult& comparison,
                                               const Comparison& pair) {
  std::vector<const CompareUnit*> units;
  if (base_model(comparison) && !pair.model.is_cancelled) units.push_back(&pair.model);
  for (const CompareUnit& unit : pair.units) {
    if (!unit.is_cancelled) units.push_back(&unit);
  }
  return units;
}

void add_verdict(const CompareUnit& unit, BenchmarkRecord& record) {
  record.labels->insert_or_assign("reason", unit.reason);
  if (unit.verdict) record.labels->insert_or_assign("verdict", std::string(name_of(*unit.verdict)));
  if (!unit.ratio) return;
  if (!record.metrics) record.metrics.emplace();
  record.metrics->insert_or_assign("ratio", unit.ratio->median);
  record.metrics->insert_or_assign("ratio_low", unit.ratio->low);
  record.metrics->insert_or_assign("ratio_high", unit.ratio->high);
  record.metrics->insert_or_assign("margin_percent", unit.margin_percent);
}

}  // namespace

Result<std::vector<BenchmarkRecord>> records_of(const CompareResult& comparison) {
  std::vector<BenchmarkRecord> records;
  for (const Comparison& pair : comparison.comparisons) {
    std::vector<size_t> sides = {pair.candidate};
    // The base has the same times in every pair.
    if (records.empty()) sides.insert(sides.begin(), pair.base);
    const std::vector<const CompareUnit*> units = recorded_units(comparison, pair);
    for (const size_t side : sides) {
      OPBENCH_TRY(std::vector<BenchmarkRecord> made,
                  records_of(profile_of(comparison, pair, side)));
      for (size_t i = 0; i < made.size(); ++i) {
        if (side != pair.base) add_verdict(*units[i], made[i]);
        made[i].record_id.reset();
        records.push_back(std::move(made[i]));
      }
    }
  }
  assign_record_ids(records);
  return records;
}

}  // namespace opbench
