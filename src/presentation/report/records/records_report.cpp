#include "presentation/report/records/records_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace opbench {
namespace {

constexpr const char* kRecordsValidateSchema = "opbench.records.validate/1";
constexpr const char* kRecordsStatsSchema = "opbench.records.stats/1";

int64_t sum_of(const std::map<std::string, int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t{0},
                         [](int64_t sum, const auto& entry) { return sum + entry.second; });
}

Json counts_json(const std::map<std::string, int64_t>& counts) {
  Json json = Json::object();
  for (const auto& [key, count] : counts) json[key] = count;
  return json;
}

Json records_report_optional_text(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json message_json(const ScanMessage& message) {
  Json json;
  json["line"] = message.line > 0 ? Json(message.line) : Json();
  json["column"] = message.issue.column > 0 ? Json(message.issue.column) : Json();
  json["level"] = message.issue.is_error() ? "error" : "warning";
  json["code"] = message.issue.code;
  json["field"] = message.issue.field;
  json["message"] = message.issue.message;
  return json;
}

Json failure_json(const Error& failure) {
  return Json{{"line", Json()},   {"column", Json()}, {"level", "error"},
              {"code", "E_FILE"}, {"field", ""},      {"message", failure.message}};
}

}  // namespace

Json scan_json(const std::vector<ScanReport>& reports) {
  Json files = Json::array();
  for (const ScanReport& report : reports) {
    Json errors = counts_json(report.errors);
    Json messages = Json::array();
    for (const ScanMessage& message : report.messages) messages.push_back(message_json(message));
    if (report.failure) {
      errors["E_FILE"] = 1;
      messages.push_back(failure_json(*report.failure));
    }
    files.push_back({{"file", report.file},
                     {"format", records_report_optional_text(report.format)},
                     {"records", report.records},
                     {"valid", report.valid},
                     {"errors", std::move(errors)},
                     {"warnings", counts_json(report.warnings)},
                     {"messages", std::move(messages)}});
  }
  return Json{{"schema", kRecordsValidateSchema}, {"files", std::move(files)}};
}

TextTable scan_table(const std::vector<ScanReport>& reports) {
  TextTable table{.columns = {{.header = "file", .shrinks_to = 20},
                              {.header = "format"},
                              {.header = "records", .is_right_aligned = true},
                              {.header = "valid", .is_right_aligned = true},
                              {.header = "errors", .is_right_aligned = true},
                              {.header = "warnings", .is_right_aligned = true}}};
  for (const ScanReport& report : reports) {
    table.rows.push_back({{report.file, report.format.empty() ? "-" : report.format,
                           std::to_string(report.records), std::to_string(report.valid),
                           std::to_string(sum_of(report.errors) + (report.failure ? 1 : 0)),
                           std::to_string(sum_of(report.warnings))}});
  }
  return table;
}

Json stats_json(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports) {
  Json by_error = Json::object();
  for (const auto& [number, count] : counts.by_error_no) by_error[std::to_string(number)] = count;
  int64_t records = 0;
  int64_t valid = 0;
  for (const ScanReport& report : reports) {
    records += report.records;
    valid += report.valid;
  }
  Json json{{"schema", kRecordsStatsSchema},
            {"records", records},
            {"valid", valid},
            {"tasks", counts.tasks},
            {"targets", counts.targets},
            {"target_identities", counts.target_identities},
            {"workloads", counts.workloads},
            {"by_error_no", std::move(by_error)},
            {"by_model", counts_json(counts.by_model)},
            {"by_version", counts_json(counts.by_version)},
            {"by_tvm_version", counts_json(counts.by_tvm_version)},
            {"best_by_model", counts.best_by_model},
            {"best_by_targetkey", counts.best_by_targetkey},
            {"best", counts.best},
            {"identical_lines", counts.identical_lines},
            {"repeated_configs", counts.repeated_configs},
            {"reordered_keys", counts.reordered_keys},
            {"benchmark_records", counts.benchmark_records},
            {"predicted_records", counts.predicted_records}};
  json["files"] = scan_json(reports)["files"];
  return json;
}

TextTable stats_table(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports) {
  TextTable table{.columns = {{.header = "what"},
                              {.header = "value"},
                              {.header = "count", .is_right_aligned = true}}};
  const auto add = [&](const std::string& what, const std::string& value, int64_t count) {
    table.rows.push_back({{what, value, std::to_string(count)}});
  };
  const auto add_all = [&](const std::string& what, const std::map<std::string, int64_t>& all) {
    for (const auto& [value, count] : all) add(what, value, count);
  };
  for (const ScanReport& report : reports) {
    add("records of", report.file + (report.format.empty() ? "" : ", " + report.format),
        report.records);
  }
  add("tasks", "", counts.tasks);
  add("targets", "", counts.targets);
  add("workloads", "", counts.workloads);
  for (const auto& [number, count] : counts.by_error_no) {
    add("records with", "error_no " + std::to_string(number), count);
  }
  add_all("model", counts.by_model);
  add_all("version", counts.by_version);
  add_all("tvm_version", counts.by_tvm_version);
  add("best", "by model", counts.best_by_model);
  add("best", "by key of the target", counts.best_by_targetkey);
  add("best", "records in either", counts.best);
  add("lines", "identical to an earlier one", counts.identical_lines);
  add("configs", "measured again", counts.repeated_configs);
  add("lines", "with keys in another order", counts.reordered_keys);
  if (counts.predicted_records > 0) add("records", "predicted", counts.predicted_records);
  return table;
}

}  // namespace opbench
