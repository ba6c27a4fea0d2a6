#include "presentation/report/exports/export_rows.h"

#include "base/system/seconds.h"
#include "measuring/results/unit_totals.h"
#include "presentation/report/tables/unit_rows.h"

namespace opbench {

std::vector<ExportRow> rows_of_export(const ProfileResult& profile) {
  std::vector<ExportRow> rows;
  for (const EngineResult& engine : profile.engines) {
    for (const UnitResult& unit : engine.units) {
      const ExportRow row{&engine, &unit};
      if (!is_unmeasured(unit) && (unit.failure || ms_of_row(row))) rows.push_back(row);
    }
    const bool has_model = engine.model.end_to_end || !engine.model.end_to_end_reason.empty();
    if (profile.scope == "model" && has_model) rows.push_back({&engine, nullptr});
  }
  return rows;
}

const Measurement* time_of_row(const ExportRow& row) {
  const auto& time = row.unit != nullptr ? row.unit->time : row.engine->model.end_to_end;
  return time ? &*time : nullptr;
}

std::optional<double> ms_of_row(const ExportRow& row) {
  if (const Measurement* time = time_of_row(row)) return time->median_ms;
  return row.unit != nullptr ? row.unit->in_place_ms : std::nullopt;
}

std::optional<Failure> failure_of_row(const ExportRow& row) {
  if (row.unit != nullptr && row.unit->failure) return row.unit->failure;
  if (ms_of_row(row)) return {};
  if (row.engine->model.failure) return row.engine->model.failure;
  return Failure{FailureKind::kRunError, row.engine->model.end_to_end_reason};
}

std::string name_of_unit(const UnitResult& unit) {
  std::string name = workload_text(unit.identity);
  if (!name.empty()) return name;
  const std::string shapes = short_shapes(unit.identity);
  return unit.identity.operator_text + (shapes.empty() ? "" : " " + shapes);
}

std::vector<double> clean_ms(const Measurement& time) {
  std::vector<double> values;
  for (const Sample& sample : time.samples) {
    if (sample.flag.empty()) values.push_back(s_to_ms(sample.wall_s));
  }
  return values;
}

std::string hardware_of(const ProfileResult& profile) {
  const auto& machine = profile.environment.machine;
  return machine ? machine->cpu_model.value.value_or("unknown") : "unknown";
}

Error nothing_to_export(const ProfileResult& profile, const std::string& what) {
  Error error{ErrorCode::kNoMatch, what};
  for (const ExportRow& row : rows_of_export(profile)) {
    if (const auto failure = failure_of_row(row)) {
      return std::move(error).with("first", run_name(*row.engine) + ": " + to_text(*failure));
    }
  }
  return error;
}

}  // namespace opbench
