#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// The database holds text in `extra_info` alone.
void set_extra(Json& extra, const char* key, const Json& value) {
  if (value.is_null() || value == "") return;
  extra[key] = value.is_string() ? value.get<std::string>() : json_text(value);
}

Json known_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json benchmark_of(const ProfileResult& profile, const ExportRow& row) {
  const EngineResult& engine = *row.engine;
  Json extra = Json::object();
  set_extra(extra, "scope", row.unit != nullptr ? "unit" : "model");
  set_extra(extra, "workload",
            row.unit != nullptr ? workload_name(engine.engine, *row.unit) : profile.model);
  set_extra(extra, "threads", engine.threads);
  set_extra(extra, "engine_version", engine.version);
  set_extra(extra, "run_id", profile.run_id);
  set_extra(extra, "target", profile.target);
  set_extra(extra, "cache", row.unit != nullptr ? profile.cache : "hot");
  const Measurement* time = time_of_row(row);
  if (const auto interval = time != nullptr ? interval_of(*time) : std::nullopt) {
    set_extra(extra, "low_ms", interval->low);
    set_extra(extra, "high_ms", interval->high);
  }
  if (row.unit != nullptr) {
    const UnitResult& unit = *row.unit;
    Json arguments = {{"operator", unit.identity.operator_text},
                      {"shapes", short_shapes(unit.identity)},
                      {"workload", workload_text(unit.identity)}};
    set_extra(extra, "workload_args", arguments);
    set_extra(extra, "nodes", unit.identity.nodes);
    set_extra(extra, "count", unit.count);
    set_extra(extra, "schedule", unit.identity.schedule);
    set_extra(extra, "reproducer", unit.reproducer);
    set_extra(extra, "in_place_ms", known_or_null(unit.in_place_ms));
  }
  if (const auto failure = failure_of_row(row)) {
    set_extra(extra, "failure_kind", std::string(name_of(failure->kind)));
    set_extra(extra, "failure", failure->text.empty() ? "it gave no reason" : failure->text);
  }
  return {{"name", "OpBench"}, {"mode", "inference"}, {"extra_info", std::move(extra)}};
}

Json metric_of(const ExportRow& row) {
  Json metric = {{"name", "latency_ms"}, {"benchmark_values", Json::array()}};
  const auto ms = ms_of_row(row);
  if (!ms || failure_of_row(row)) return metric;
  const Measurement* time = time_of_row(row);
  const std::vector<double> samples = time != nullptr ? clean_ms(*time) : std::vector<double>{};
  if (samples.empty()) {
    metric["benchmark_values"].push_back(*ms);
    metric["extra_info"] = {{"values", "median"}};
    return metric;
  }
  metric["benchmark_values"] = samples;
  metric["extra_info"] = {{"median_ms", json_text(Json(*ms))}};
  return metric;
}

Json runner_of(const ProfileResult& profile) {
  Json runner = {{"name", hardware_of(profile)}, {"type", "cpu"}};
  const auto& machine = profile.environment.machine;
  if (!machine) return runner;
  constexpr int64_t kGigabyte = 1'000'000'000;
  if (machine->cpu_model.value) runner["cpu_info"] = *machine->cpu_model.value;
  if (machine->cpus.value) runner["cpu_count"] = *machine->cpus.value;
  if (machine->memory_bytes.value) {
    runner["avail_mem_in_gb"] = *machine->memory_bytes.value / kGigabyte;
  }
  return runner;
}

Result<ExportText> write_pytorch_v3(const ExportInput& input) {
  const ProfileResult& profile = input.profile;
  Json list = Json::array();
  for (const ExportRow& row : rows_of_export(profile)) {
    Json inputs = Json::object();
    for (const auto& [name, shape] : profile.inputs) {
      inputs[name] = {{"extra_info", {{"shape", json_text(Json(shape))}}}};
    }
    Json dependencies = {{"opbench", {{"version", OPBENCH_VERSION}}}};
    for (const auto& [name, version] : row.engine->versions) {
      dependencies[name] = {{"version", version}};
    }
    list.push_back({{"timestamp", profile.timestamp},
                    {"benchmark", benchmark_of(profile, row)},
                    {"model",
                     {{"name", profile.model},
                      {"type", row.unit != nullptr ? "operator" : "model"},
                      {"backend", row.engine->engine},
                      {"origins", Json::array({profile.source})}}},
                    {"metric", metric_of(row)},
                    {"runners", Json::array({runner_of(profile)})},
                    {"dependencies", std::move(dependencies)},
                    {"inputs", std::move(inputs)}});
  }
  if (list.empty()) return nothing_to_export(profile, "the profile has no row");
  return ExportText{.text = json_text(list, 1) + "\n"};
}

}  // namespace

ExportDef pytorch_v3_export() {
  return {.name = "pytorch-v3",
          .summary = "PyTorch's benchmark database, version 3, in milliseconds",
          .write = write_pytorch_v3};
}

}  // namespace opbench
