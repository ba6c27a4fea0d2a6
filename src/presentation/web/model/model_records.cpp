#include "presentation/web/model/model_records.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "base/errors/suggestion.h"
#include "measuring/results/finding.h"
#include "presentation/web/requests/entry_choice.h"

namespace opbench {
namespace {

constexpr const char* kRecordColumns =
    "SELECT r.scope, r.engine, coalesce(r.num_cpu_threads, 1) AS threads, r.engine_semver, "
    "r.engine_sha, r.workload, r.nodes, r.count, r.runtime_ms_median AS ms, r.runtime_ms_mean AS "
    "mean_ms, r.runtime_ms_low AS low_ms, r.runtime_ms_high AS high_ms, r.runtime_ms_in_place AS "
    "in_place_ms, r.metrics, r.status, r.error_message, r.reproducer, r.target, "
    "json_extract_string(r.workload_args, '$.shapes') AS shapes, "
    "json_extract_string(r.workload_args, '$.operator') AS operator, "
    "json_extract_string(r.compilation_config, '$.schedule') AS schedule, "
    "json_extract_string(r.metadata, '$.bound') AS bound, "
    "json_extract_string(r.metadata, '$.findings') AS findings, "
    "json_extract_string(r.compilation_config, '$.layouts') AS layouts, "
    "json_extract_string(r.compilation_config, '$.tuned_from') AS tuned_from, "
    "r.\"check\" AS checked, json_extract_string(r.record, '$.workload_metadata.source') AS "
    "source, json_extract_string(r.record, '$.workload_metadata.sha256') AS sha256, "
    "r.on_device AS device, r.by_clock AS clock, json_extract_string(r.record, "
    "'$.engine_config.device.clock') AS device_clock, s.id AS "
    "series FROM (SELECT *, coalesce(json_extract_string(record, "
    "'$.engine_config.device.description'), json_extract_string(record, "
    "'$.engine_config.device.kind')) AS on_device, CASE WHEN json_extract_string(record, "
    "'$.emulator') IS NOT NULL THEN 'emulated' WHEN json_extract_string(record, "
    "'$.execution_config.timer') IN ('event', 'simulated') THEN json_extract_string(record, "
    "'$.execution_config.timer') ELSE 'wall' END AS by_clock FROM {}) r LEFT "
    "JOIN series s ON s.engine = r.engine AND s.threads = coalesce(r.num_cpu_threads, 1) AND "
    "s.scope = r.scope AND s.machine = coalesce(r.machine_hash, '') AND s.model = "
    "coalesce(map_extract(r.labels, 'watch_subject')[1], r.model, '') AND s.suite IS NOT DISTINCT "
    "FROM map_extract(r.labels, 'watch_suite')[1] AND s.cache IS NOT DISTINCT FROM r.cache AND "
    "s.branch IS NOT DISTINCT FROM map_extract(r.labels, 'watch_branch')[1] AND s.node IS NOT "
    "DISTINCT FROM r.nodes[1] AND (s.unit = 'model' OR r.workload = s.unit OR substr(r.workload, "
    "strpos(r.workload, '.') + 1) = s.unit) AND s.device IS NOT DISTINCT FROM r.on_device AND "
    "s.clock "
    "= r.by_clock WHERE coalesce(map_extract(r.labels, "
    "'watch_subject')[1], r.model, '') = {} ORDER BY r.\"timestamp\"";

Json metric_of(const Json& record, const char* name) {
  return record["metrics"].is_object() ? record["metrics"].value(name, Json()) : Json();
}

Json scaled(const Json& value, double factor) {
  return value.is_number() ? Json(value.get<double>() * factor) : Json();
}

std::string engine_key(const Json& record) {
  return fmt::format("{}@{}", record["engine"].get<std::string>(), record["threads"].dump());
}

Json failure_of(const Json& record) {
  return record["status"] == "ok" ? Json() : record["error_message"];
}

Json check_json(const Json& checked) {
  if (!checked.is_object() || !checked.value("engine", Json()).is_string()) return nullptr;
  return {{"engine", checked["engine"]},
          {"passed", checked.value("passed", Json())},
          {"max_relative_error", checked.value("max_relative_error", Json())}};
}

Json engine_json(const Json& record) {
  return {{"key", engine_key(record)},
          {"engine", record["engine"]},
          {"version",
           record["engine_semver"].is_null() ? record["engine_sha"] : record["engine_semver"]},
          {"threads", record["threads"]},
          {"device", record["device"]},
          {"clock", record["clock"]},
          {"device_clock", record["device_clock"]},
          {"device_ms", nullptr},
          {"copies_ms", nullptr},
          {"without_copies_ms", nullptr},
          {"end_to_end_ms", nullptr},
          {"end_to_end_low_ms", nullptr},
          {"end_to_end_high_ms", nullptr},
          {"base_end_to_end_ms", nullptr},
          {"sum_in_place_ms", nullptr},
          {"dispatch_ms", nullptr},
          {"call_overhead_ms", nullptr},
          {"gap_pct", nullptr},
          {"peak_memory_mb", nullptr},
          {"peak_gflops", nullptr},
          {"memory_gbytes_per_s", nullptr},
          {"failure", nullptr},
          {"check", nullptr},
          {"schedules_known", false}};
}

void add_model_record(const Json& record, Json& engine) {
  engine["end_to_end_ms"] = record["ms"].is_null() ? record["mean_ms"] : record["ms"];
  engine["end_to_end_low_ms"] = record["low_ms"];
  engine["end_to_end_high_ms"] = record["high_ms"];
  for (const char* name :
       {"sum_in_place_ms", "dispatch_ms", "call_overhead_ms", "peak_memory_mb", "peak_gflops",
        "memory_gbytes_per_s", "device_ms", "copies_ms", "without_copies_ms"}) {
    engine[name] = metric_of(record, name);
  }
  engine["gap_pct"] = metric_of(record, "gap_percent");
  engine["failure"] = failure_of(record);
  engine["check"] = check_json(record["checked"]);
}

/// `Finding` of the contract, from the text of `metadata.findings`.
Json findings_answer(const std::string& text) {
  Json list = Json::array();
  for (const Finding& one : findings_of(Json::parse(text, nullptr, false))) {
    list.push_back({{"finding", one.finding},
                    {"where", one.where},
                    {"evidence", one.evidence},
                    {"gain_pct", one.expected_pct()},
                    {"gain_low_pct", one.gain_low_pct},
                    {"gain_high_pct", one.gain_high_pct},
                    {"command", one.command},
                    {"measured_pct", one.measured_gain_pct ? Json(*one.measured_gain_pct) : Json()},
                    {"not_measured", one.not_measured ? Json(*one.not_measured) : Json()}});
  }
  return list;
}

/// Flops per byte; null where either is not known.
Json intensity_of(const Json& record) {
  const Json flops = metric_of(record, "flops"), bytes = metric_of(record, "bytes");
  if (!flops.is_number() || !bytes.is_number() || bytes.get<double>() <= 0) return nullptr;
  return flops.get<double>() / bytes.get<double>();
}

Json time_json_of(const Json& record) {
  constexpr double kPercent = 100;
  const bool is_alone = record["ms"].is_number();
  return {{"series", record["series"]},
          {"ms", record["ms"]},
          {"low_ms", record["low_ms"]},
          {"high_ms", record["high_ms"]},
          {"in_place_ms", is_alone ? record["in_place_ms"]
                                   : (record["in_place_ms"].is_null() ? record["mean_ms"]
                                                                      : record["in_place_ms"])},
          {"total_ms", metric_of(record, "total_ms")},
          {"device_ms", metric_of(record, "device_ms")},
          {"share_pct", scaled(metric_of(record, "share"), kPercent)},
          {"base_ms", nullptr},
          {"base_in_place_ms", nullptr},
          {"flops", metric_of(record, "flops")},
          {"bytes", metric_of(record, "bytes")},
          {"gflops_per_s", metric_of(record, "gflops_per_s")},
          {"percent_of_peak", metric_of(record, "percent_of_peak")},
          {"gbytes_per_s", metric_of(record, "gbytes_per_s")},
          {"intensity", intensity_of(record)},
          {"bound", record["bound"]},
          {"schedule", record["schedule"]},
          {"layouts", record["layouts"]},
          {"tuned_from", record["tuned_from"]},
          {"failure", failure_of(record)},
          {"reproducer", record["reproducer"]}};
}

/// Puts records of one unit side by side: they have the same text and the same first node.
class UnitRows {
 public:
  void add(const Json& record) {
    const Json& nodes = record["nodes"];
    const std::string node = nodes.is_array() && !nodes.empty() ? nodes[0].get<std::string>() : "";
    const std::string text = unit_text(record["workload"].get<std::string>());
    const auto [place, is_new] = places_.try_emplace({text, node}, units_.size());
    if (is_new) {
      units_.push_back(
          {{"unit", text},
           {"shapes", record["shapes"]},
           {"operator", record["operator"].is_null() ? Json(text.substr(0, text.find(' ')))
                                                     : record["operator"]},
           {"nodes", nodes.is_array() ? nodes : Json::array()},
           {"count", record["count"].is_null() ? Json(1) : record["count"]},
           {"by_engine", Json::object()}});
    }
    units_[place->second]["by_engine"][engine_key(record)] = time_json_of(record);
  }
  std::vector<Json> take() { return std::move(units_); }

 private:
  std::map<std::pair<std::string, std::string>, size_t> places_;
  std::vector<Json> units_;
};

}  // namespace

Result<std::vector<std::string>> models_of_entry(WebStore& store, int64_t entry) {
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format("SELECT s.model FROM {} JOIN series s USING (series_key) "
                                      "GROUP BY s.model ORDER BY count(*) FILTER (s.scope = "
                                      "'unit') DESC, s.model LIMIT 1000",
                                      points_of_entry(entry))));
  std::vector<std::string> models;
  for (const std::vector<Json>& row : found.rows) models.push_back(row[0].get<std::string>());
  return models;
}

Result<std::string> model_of_request(const WebRequest& request, const Json& info,
                                     const std::vector<std::string>& models) {
  const std::string asked = request.text("model");
  if (asked.empty()) return models.empty() ? "" : models.front();
  if (std::ranges::count(models, asked) > 0) return asked;
  Error error = unknown_name("model of " + info["selector"].get<std::string>(), asked, models);
  error.code = ErrorCode::kNoMatch;
  return error;
}

std::string unit_text(const std::string& workload) {
  return workload.substr(workload.find('.') + 1);
}

Result<ModelRecords> model_records(WebStore& store, int64_t entry, const std::string& model) {
  OPBENCH_TRY(const std::string from, store.records_of_entry(entry));
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format(fmt::runtime(kRecordColumns), from, sql_text(model))));
  ModelRecords records;
  records.facts.push_back({{"source", nullptr}, {"sha256", nullptr}, {"target", nullptr}});
  std::map<std::string, size_t> engines;
  UnitRows units;
  for (const Json& record : rows_json(found)) {
    for (const char* fact : {"source", "sha256", "target"}) {
      if (!record[fact].is_null()) records.facts.front()[fact] = record[fact];
    }
    const auto [place, is_new] = engines.try_emplace(engine_key(record), records.engines.size());
    if (is_new) records.engines.push_back(engine_json(record));
    Json& engine = records.engines[place->second];
    if (record["scope"] == "model") {
      add_model_record(record, engine);
      const Json& findings = record["findings"];
      if (findings.is_string()) records.findings = findings_answer(findings.get<std::string>());
      continue;
    }
    if (!record["schedule"].is_null()) engine["schedules_known"] = true;
    units.add(record);
  }
  records.units = units.take();
  for (Json& unit : records.units) {
    for (const auto& [key, place] : engines) {
      if (!unit["by_engine"].contains(key)) unit["by_engine"][key] = nullptr;
    }
  }
  return records;
}

void add_base(const ModelRecords& base, ModelRecords& records) {
  for (Json& engine : records.engines) {
    for (const Json& other : base.engines) {
      if (other["key"] == engine["key"]) engine["base_end_to_end_ms"] = other["end_to_end_ms"];
    }
  }
  std::map<std::string, const Json*> units;
  for (const Json& unit : base.units)
    units.emplace(unit["unit"].dump() + unit["nodes"].dump(), &unit);
  for (Json& unit : records.units) {
    const auto found = units.find(unit["unit"].dump() + unit["nodes"].dump());
    if (found == units.end()) continue;
    for (auto& [key, times] : unit["by_engine"].items()) {
      const Json other = (*found->second)["by_engine"].value(key, Json());
      if (times.is_null() || other.is_null()) continue;
      times["base_ms"] = other["ms"];
      times["base_in_place_ms"] = other["in_place_ms"];
    }
  }
}

}  // namespace opbench
