#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"

namespace opbench {
namespace {

std::string status_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::kBuildError:
    case FailureKind::kInvalidConfig:
      return "COMPILE_ERROR";
    case FailureKind::kBuildTimeout:
    case FailureKind::kRunTimeout:
      return "TIMEOUT";
    case FailureKind::kWrongResult:
      return "INCORRECT_NUMERICAL";
    case FailureKind::kRunError:
    case FailureKind::kDeviceLost:
    case FailureKind::kUnsupported:
    case FailureKind::kCancelled:
      break;
  }
  return "RUNTIME_ERROR";
}

/// 8-4-4-4-12 digits, the same for the same row of the same run; version 8: of a rule of our own.
std::string uuid_of_row(const std::string& text) {
  std::string hex = sha256(text).substr(0, 32);
  hex[12] = '8';
  hex[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

/// What their schema has no field for: theirs is a map of anything.
Json extra_of_row(const ProfileResult& profile, const ExportRow& row) {
  Json extra = {{"run_id", profile.run_id}, {"model", profile.model}, {"cache", profile.cache}};
  extra["nodes"] = row.unit->identity.nodes;
  extra["count"] = row.unit->count;
  if (row.unit->in_place_ms) extra["in_place_ms"] = *row.unit->in_place_ms;
  if (!row.engine->check.engine.empty()) extra["checked_by"] = row.engine->check.engine;
  const Measurement* time = time_of_row(row);
  if (time == nullptr) return extra;
  if (const auto interval = interval_of(*time)) {
    extra["low_ms"] = interval->low;
    extra["high_ms"] = interval->high;
  }
  const std::vector<double> samples = clean_ms(*time);
  if (!samples.empty()) extra["samples_ms"] = samples;
  return extra;
}

Json evaluation_of(const ProfileResult& profile, const ExportRow& row) {
  const auto failure = failure_of_row(row);
  const std::string status = failure ? status_of(failure->kind) : "PASSED";
  Json libs = {{"opbench", OPBENCH_VERSION}};
  for (const auto& [name, version] : row.engine->versions) libs[name] = version;
  if (!row.engine->version.empty()) libs[row.engine->engine] = row.engine->version;
  Json evaluation = {{"status", status},
                     {"environment", {{"hardware", hardware_of(profile)}, {"libs", libs}}},
                     {"timestamp", profile.timestamp}};
  if (failure) evaluation["log"] = to_text(*failure);
  if (status == "PASSED" || status == "INCORRECT_NUMERICAL") {
    const auto& error = row.engine->check.max_relative_error;
    const bool is_known = error && std::isfinite(*error);
    // Their numbers that are not known are NaN, as text.
    evaluation["correctness"] = {{"max_relative_error", is_known ? Json(*error) : Json("NaN")},
                                 {"max_absolute_error", "NaN"},
                                 {"extra", extra_of_row(profile, row)}};
  }
  if (!failure) evaluation["performance"] = {{"latency_ms", *ms_of_row(row)}};
  return evaluation;
}

/// One trace a line: the rows of units that are workloads of ours.
Result<ExportText> write_flashinfer(const ExportInput& input) {
  const ProfileResult& profile = input.profile;
  ExportText result;
  int left_out = 0;
  int number = 0;
  for (const ExportRow& row : rows_of_export(profile)) {
    if (row.unit == nullptr) continue;
    const std::string workload = workload_text(row.unit->identity);
    ++number;
    if (workload.empty() || row.unit->identity.is_layout_change()) {
      ++left_out;
      continue;
    }
    const std::string uuid = fmt::format("{}\n{}\n{}", profile.run_id, number, workload);
    const Json trace = {
        {"definition", workload},
        {"workload",
         {{"uuid", uuid_of_row(uuid)}, {"axes", Json::object()}, {"inputs", Json::object()}}},
        {"solution", fmt::format("opbench/{}/{}/{}", row.engine->engine, row.engine->threads,
                                 row.unit->identity.schedule)},
        {"evaluation", evaluation_of(profile, row)}};
    result.text += json_text(trace) + "\n";
  }
  if (result.text.empty()) {
    return nothing_to_export(profile, "no unit of the profile is a workload of OpBench");
  }
  if (left_out > 0) {
    result.remarks.push_back(fmt::format(
        "{} rows are left out: changes of layout, or parts of an engine's own", left_out));
  }
  return result;
}

}  // namespace

ExportDef flashinfer_export() {
  return {.name = "flashinfer",
          .summary = "traces of FlashInfer-Bench, one a line, in milliseconds",
          .write = write_flashinfer};
}

}  // namespace opbench
