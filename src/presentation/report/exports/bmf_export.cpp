#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "base/json/json_text.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "presentation/report/tables/unit_rows.h"

namespace opbench {
namespace {

constexpr double kNanosecondsInMs = 1e6;

/// `{benchmark: {"latency": {"value", "lower_value", "upper_value"}}}`; Bencher counts latency in
/// nanoseconds.
Result<ExportText> write_bmf(const ExportInput& input) {
  Json json = Json::object();
  std::map<std::string, int> met;
  int failed = 0;
  for (const ExportRow& row : rows_of_export(input.profile)) {
    const auto ms = ms_of_row(row);
    if (!ms || failure_of_row(row)) {
      ++failed;
      continue;
    }
    const std::string what = row.unit != nullptr ? name_of_unit(*row.unit) : "end to end";
    std::string name = input.profile.model + " / " + run_name(*row.engine) + " / " + what;
    if (const int again = ++met[name]; again > 1) name += fmt::format(" #{}", again);
    Json latency = {{"value", *ms * kNanosecondsInMs}};
    const Measurement* time = time_of_row(row);
    if (const auto interval = time != nullptr ? interval_of(*time) : std::nullopt) {
      latency["lower_value"] = interval->low * kNanosecondsInMs;
      latency["upper_value"] = interval->high * kNanosecondsInMs;
    }
    json[name] = {{"latency", std::move(latency)}};
  }
  if (json.empty()) return nothing_to_export(input.profile, "no row of the profile has a time");
  ExportText text{.text = json_text(json, 2) + "\n"};
  if (failed > 0) {
    text.remarks.push_back(fmt::format("{} rows without a time are left out", failed));
  }
  return text;
}

}  // namespace

ExportDef bmf_export() {
  return {
      .name = "bmf",
      .summary = "Bencher's metric format, latency in nanoseconds: `bencher run --adapter json`",
      .write = write_bmf};
}

}  // namespace opbench
