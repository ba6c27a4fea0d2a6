#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "records/formats/benchmark/benchmark_v01.h"
#include "records/json/strict_json.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

bool is_old_version(const Json& version) { return version == "0.1" || version == 0.1; }

/// The record of schema 0.2 and everything that is wrong with either.
Json judged_upgrade(const Json& old, const ReadOptions& options, std::vector<RecordIssue>& issues) {
  Json record = upgrade_benchmark(old, options, issues);
  const BenchmarkForm form = form_keys(old).form();
  for (RecordIssue& issue : validate_record(record, {options.now_us, options.strict})) {
    // The moment was judged in its old form, by the rules for old data.
    if (issue.field == "timestamp" && issue.code != "E_MISSING") continue;
    // Said already, with the whole list.
    const auto is_known = [&](const RecordIssue& known) {
      return known.code == issue.code && known.field == old_name(issue.field, form);
    };
    if (std::ranges::any_of(issues, is_known)) continue;
    issue.field = old_name(issue.field, form);
    issues.push_back(std::move(issue));
  }
  return record;
}

Json read_version(const Json& json, const ReadOptions& options, std::vector<RecordIssue>& issues) {
  const Json version = json.value("schema_version", Json());
  if (version == "0.2") {
    issues = validate_record(json, {options.now_us, options.strict});
    return json;
  }
  if (version.is_null()) {
    issues.push_back({"W_NO_VERSION", "schema_version", "there is none; taken as 0.1"});
  } else if (!is_old_version(version)) {
    issues.push_back({"E_SCHEMA_VERSION", "schema_version",
                      "got " + version.dump().substr(0, 80) + ", can read 0.1, 0.2"});
    return {};
  }
  return judged_upgrade(json, options, issues);
}

}  // namespace

DecodedBenchmark decode_benchmark(std::string_view text, const ReadOptions& options, int64_t line,
                                  int64_t column) {
  DecodedBenchmark result;
  const auto json = StrictJson::parse(text, result.issues, line, column);
  if (!json) return result;
  if (!json->value().is_object()) {
    result.issues.push_back(
        {.code = "E_TYPE",
         .message = "a record is a JSON object, not " + json->value().dump().substr(0, 80),
         .column = column,
         .line = line});
    return result;
  }
  const Json record = read_version(json->value(), options, result.issues);
  json->place(result.issues);
  std::ranges::stable_sort(result.issues, {}, [](const RecordIssue& issue) {
    return std::pair(issue.line, issue.column);
  });
  if (has_errors(result.issues)) return result;
  auto read = record_from_json(record);
  if (read) {
    result.record = std::move(*read);
  } else {
    result.issues.push_back({"E_TYPE", "", read.error().message});
  }
  return result;
}

}  // namespace opbench
