#include "presentation/report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/fact_lines.h"
#include "presentation/report/text/machine_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string keys_text(const std::vector<SweepKey>& keys) {
  std::vector<std::string> parts;
  for (const SweepKey& key : keys) {
    parts.push_back(printable(key.name + "=" + join(key.values, ",")));
  }
  return join(parts, " × ");
}

bool has_key(const SweepResult& result, const std::string& name) {
  return std::ranges::find(result.keys, name, &SweepKey::name) != result.keys.end();
}

Facts sweep_table_head_facts(const SweepResult& result) {
  Facts facts;
  if (result.workload.empty()) {
    facts.emplace_back("model", printable(result.model) + " (" + printable(result.source) + ")");
  } else {
    facts.emplace_back("workload", printable(result.workload));
  }
  facts.emplace_back("over", keys_text(result.keys));
  std::string how = printable(result.target);
  if (!has_key(result, "cache") && !result.workload.empty()) how += ", " + result.cache + " cache";
  facts.emplace_back("target", how + fmt::format(", seed {}", result.seed));
  for (const std::string& line : machine_lines(result.environment)) {
    facts.emplace_back("machine", line);
  }
  if (!result.noise.empty()) facts.emplace_back("noise", printable(result.noise));
  for (const std::string& warning : result.warnings) {
    facts.emplace_back("warning", printable(warning));
  }
  return facts;
}

bool has_batches(const SweepResult& result) {
  return std::ranges::any_of(result.points, [&](const SweepPoint& point) {
    return point.batch != result.points.front().batch;
  });
}

bool is_mixed(const SweepResult& result) {
  std::string first;
  for (const SweepPoint& point : result.points) {
    if (point.time_of.empty()) continue;
    if (first.empty()) first = point.time_of;
    if (point.time_of != first) return true;
  }
  return false;
}

std::string sweep_table_optional_text(const std::optional<double>& value,
                                      std::string (*text)(double)) {
  return value ? text(*value) : "-";
}

std::string times_text(double ratio) { return fmt::format("{:.2f} ×", ratio); }

std::string sweep_table_percent(double value) { return fmt::format("{:.0f} %", value); }

std::vector<std::string> notes_of(const SweepPoint& point) {
  std::vector<std::string> notes;
  if (!point.failure.empty()) notes.push_back("failed: " + printable(point.failure));
  // What the others are checked against keeps its time.
  if (point.failure.empty() && found_wrong(point.check)) {
    notes.push_back("wrong: " + printable(point.check.reason));
  }
  if (point.is_interrupted) notes.emplace_back("interrupted: measured in part, not recorded");
  return notes;
}

/// Columns that not every sweep has.
struct SweepColumns {
  bool has_items = false;
  bool has_kinds = false;
};

TextRow sweep_table_row_of(const SweepPoint& point, const std::optional<double>& speed_up,
                           SweepColumns columns) {
  TextRow row;
  for (const std::string& value : point.values) row.cells.push_back(printable(value));
  row.cells.push_back(point.time ? ms_text(point.time->median_ms) : "failed");
  row.cells.push_back(precision_text(point.time));
  if (columns.has_kinds) row.cells.push_back(point.time_of.empty() ? "-" : point.time_of);
  if (columns.has_items) row.cells.push_back(sweep_table_optional_text(item_ms(point), ms_text));
  row.cells.push_back(sweep_table_optional_text(speed_up, times_text));
  row.cells.push_back(sweep_table_optional_text(point.gflops_per_s, rate_text));
  row.cells.push_back(sweep_table_optional_text(point.percent_of_peak, sweep_table_percent));
  row.cells.push_back(sweep_table_optional_text(point.gbytes_per_s, rate_text));
  row.cells.push_back(point.bound.empty() ? "-" : point.bound);
  row.below = notes_of(point);
  return row;
}

/// What the times of the table are of, and to what the speed-up refers.
std::string sweep_table_closing_text(const SweepResult& result) {
  std::string text;
  const size_t recorded = static_cast<size_t>(
      std::ranges::count_if(result.points, [](const SweepPoint& p) { return p.is_recorded; }));
  const auto timed =
      std::ranges::find_if(result.points, [](const SweepPoint& p) { return p.time.has_value(); });
  if (timed != result.points.end()) {
    const std::string of = is_mixed(result) ? "as `of` says" : timed->time_of;
    text += fmt::format("time: a call, {}; speed-up: ", of);
    if (has_batches(result)) text += "an item, ";
    const SweepKey& key = result.keys.back();
    text += fmt::format("over {}={}\n", printable(key.name), printable(key.values.front()));
  }
  if (recorded > 0) {
    text += fmt::format("{} of {} points are from the file of records\n", recorded, result.total);
  }
  if (result.points.size() < result.total) {
    text += fmt::format("{} of {} points were not measured\n", result.total - result.points.size(),
                        result.total);
  }
  const std::string summary = sweep_summary(result);
  return summary.empty() ? text : text + summary + "\n";
}

std::vector<std::string> sweep_table_csv_row(const SweepPoint& point,
                                             const std::optional<double>& speed_up) {
  std::vector<std::string> cells = point.values;
  const std::string median = point.time ? exact_text(point.time->median_ms) : "";
  const std::optional<Interval> interval =
      point.time ? interval_of(*point.time) : std::optional<Interval>();
  for (std::string& cell : std::vector<std::string>{
           point.engine, point.version, std::to_string(point.threads), std::to_string(point.batch),
           median, interval ? exact_text(interval->low) : "",
           interval ? exact_text(interval->high) : "", point.time_of, exact_text(item_ms(point)),
           exact_text(speed_up), exact_text(point.flops), exact_text(point.bytes),
           exact_text(point.gflops_per_s), exact_text(point.percent_of_peak),
           exact_text(point.gbytes_per_s), point.bound, join(notes_of(point), "; "),
           point.workload}) {
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace

TextTable sweep_table(const SweepResult& result) {
  const SweepColumns columns = {.has_items = has_batches(result), .has_kinds = is_mixed(result)};
  TextTable table;
  for (const SweepKey& key : result.keys) {
    table.columns.push_back({.header = printable(key.name), .is_right_aligned = key.is_numeric});
  }
  table.columns.push_back({.header = "time", .is_right_aligned = true, .unit = "ms"});
  table.columns.push_back({.header = "±", .is_right_aligned = true, .drop_order = 5});
  if (columns.has_kinds) table.columns.push_back({.header = "of"});
  if (columns.has_items) {
    table.columns.push_back({.header = "an item", .is_right_aligned = true, .unit = "ms"});
  }
  table.columns.push_back({.header = "speed-up", .is_right_aligned = true});
  table.columns.push_back(
      {.header = "rate", .is_right_aligned = true, .drop_order = 4, .unit = "GFLOP/s"});
  table.columns.push_back({.header = "of peak", .is_right_aligned = true, .drop_order = 2});
  table.columns.push_back(
      {.header = "traffic", .is_right_aligned = true, .drop_order = 1, .unit = "GB/s"});
  table.columns.push_back({.header = "bound", .drop_order = 3});
  const std::vector<std::optional<double>> ratios = speed_ups(result);
  for (size_t i = 0; i < result.points.size(); ++i) {
    table.rows.push_back(sweep_table_row_of(result.points[i], ratios[i], columns));
  }
  return table;
}

std::string sweep_text(const SweepResult& result, int width, const TextStyle& style) {
  std::string text = facts_text(sweep_table_head_facts(result), style) + "\n";
  if (!result.points.empty()) text += aligned_text(sweep_table(result), width, style) + "\n";
  return text + sweep_table_closing_text(result);
}

std::string sweep_markdown(const SweepResult& result) {
  std::string text =
      "## Sweep of " + printable(result.workload.empty() ? result.model : result.workload) + "\n\n";
  text += facts_markdown(sweep_table_head_facts(result));
  TextTable table = sweep_table(result);
  table.columns.push_back({.header = "note"});
  for (size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i].cells.push_back(join(notes_of(result.points[i]), "; "));
  }
  if (!table.rows.empty()) text += "\n" + markdown_text(table);
  return text + "\n" + sweep_table_closing_text(result);
}

std::string sweep_csv(const SweepResult& result) {
  TextTable table;
  for (const SweepKey& key : result.keys) {
    const bool is_taken = key.name == "engine" || key.name == "threads" || key.name == "batch";
    table.columns.push_back({.header = is_taken ? "over_" + key.name : key.name});
  }
  for (const char* name :
       {"engine", "version", "threads", "batch", "median_ms", "low_ms", "high_ms", "time_of",
        "item_ms", "speed_up", "flops", "bytes", "gflops_per_s", "percent_of_peak", "gbytes_per_s",
        "bound", "failure", "workload"}) {
    table.columns.push_back({.header = name});
  }
  const std::vector<std::optional<double>> ratios = speed_ups(result);
  for (size_t i = 0; i < result.points.size(); ++i) {
    table.rows.push_back({sweep_table_csv_row(result.points[i], ratios[i])});
  }
  return csv_text(table);
}

std::string sweep_summary(const SweepResult& result) {
  const auto failed = std::ranges::count_if(
      result.points, [](const SweepPoint& point) { return !point.failure.empty(); });
  if (failed == 0) return "";
  return fmt::format("{} of {} points failed", failed, result.total);
}

}  // namespace opbench
