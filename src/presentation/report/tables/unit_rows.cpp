#include "presentation/report/tables/unit_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/text/counted.h"
#include "base/text/display_width.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"
#include "measuring/results/unit_totals.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string unit_rows_optional_text(const std::optional<double>& value,
                                    std::string (*text)(double)) {
  return value ? text(*value) : "-";
}

std::string percent_of(double percent) { return fmt::format("{:.0f} %", percent); }

std::string cold_text(const std::optional<bool>& is_cold) {
  if (!is_cold) return "-";
  return *is_cold ? "cold" : "not cold";
}

TextRow unit_row(const UnitResult& unit, std::optional<double> cumulative, bool has_rate) {
  TextRow row;
  const bool has_total = unit.time || unit.in_place_ms;
  const bool has_failed = unit.failure && !is_unmeasured(unit);
  row.cells = {printable(unit.identity.operator_text),
               printable(short_shapes(unit.identity)),
               std::to_string(unit.count),
               unit.time    ? ms_text(unit.time->median_ms)
               : has_failed ? "failed"
                            : "-",
               precision_text(unit.time),
               unit_rows_optional_text(unit.in_place_ms, ms_text),
               has_total ? ms_text(unit.total_ms) : "-",
               has_total && cumulative ? percent_text(unit.share) : "-",
               has_total && cumulative ? percent_text(*cumulative) : "-",
               has_rate ? unit_rows_optional_text(unit.gflops_per_s, rate_text) : "-",
               has_rate ? unit_rows_optional_text(unit.percent_of_peak, percent_of) : "-",
               has_rate ? unit_rows_optional_text(unit.gbytes_per_s, rate_text) : "-",
               has_rate && !unit.bound.empty() ? unit.bound : "-"};
  if (has_failed) row.below.push_back("failed: " + printable(to_text(*unit.failure)));
  if (!unit.remark.empty()) row.below.push_back(printable(unit.remark));
  if (!unit.reproducer.empty()) row.below.push_back(printable(unit.reproducer));
  return row;
}

void add_percentiles(const EngineResult& engine, const std::vector<double>& percents,
                     const std::string& unit, TextTable& table) {
  for (const double percent : percents) {
    table.columns.push_back(
        {.header = percentile_name(percent), .is_right_aligned = true, .unit = unit});
  }
  for (size_t i = 0; i < engine.units.size() && !percents.empty(); ++i) {
    const Measurement none;
    const Measurement& time = engine.units[i].time ? *engine.units[i].time : none;
    for (const Percentile& one : percentiles_of(time, percents)) {
      table.rows[i].cells.push_back(unit_rows_optional_text(one.ms, ms_text));
    }
  }
}

/// By the device's own clock, beside the times of calls.
void add_device_times(const EngineResult& engine, TextTable& table) {
  table.columns.push_back({.header = "device", .is_right_aligned = true, .unit = "ms event"});
  for (size_t i = 0; i < engine.units.size(); ++i) {
    const std::optional<Measurement>& time = engine.units[i].time;
    table.rows[i].cells.push_back(
        unit_rows_optional_text(time ? device_ms(*time) : std::nullopt, ms_text));
  }
}

}  // namespace

std::string precision_text(const std::optional<Measurement>& time) {
  if (!time || time->median_ms <= 0) return "";
  const std::optional<Interval> interval = interval_of(*time);
  if (!interval) return "-";
  return fmt::format("{:.1f} %", 50 * (interval->high - interval->low) / time->median_ms);
}

std::string unit_in(const std::string& unit, const std::string& mode, const std::string& cache) {
  if (cache == "hot") return unit;
  const std::string word = mode == "hot" ? "hot" : "cold";
  return unit.empty() ? word : unit + " " + word;
}

TextTable unit_table(const EngineResult& engine, const UnitTableOptions& options) {
  const TimeCaches caches = caches_of(engine, options.cache);
  const auto in = [&](const char* unit, const std::string& mode) {
    return unit_in(unit, mode, options.cache);
  };
  const bool has_alone =
      std::ranges::any_of(engine.units, [](const UnitResult& unit) { return !!unit.time; });
  const std::string rated = has_alone ? caches.alone : caches.in_place;
  TextTable table;
  table.columns = {
      {.header = "operator", .shrinks_to = 16},
      {.header = "shapes", .shrinks_to = 16},
      {.header = "count", .is_right_aligned = true, .drop_order = 7},
      {.header = "isolated", .is_right_aligned = true, .unit = in("ms", caches.alone)},
      {.header = "±", .is_right_aligned = true, .drop_order = 4},
      {.header = "in model",
       .is_right_aligned = true,
       .drop_order = 9,
       .unit = in("ms", caches.in_place)},
      {.header = "total", .is_right_aligned = true, .unit = in("ms", caches.total)},
      {.header = "share", .is_right_aligned = true, .drop_order = 6, .unit = in("", caches.total)},
      {.header = "cumulated",
       .is_right_aligned = true,
       .drop_order = 2,
       .unit = in("", caches.total)},
      {.header = "rate", .is_right_aligned = true, .drop_order = 3, .unit = in("GFLOP/s", rated)},
      {.header = "of peak", .is_right_aligned = true, .drop_order = 5, .unit = in("", rated)},
      {.header = "traffic", .is_right_aligned = true, .drop_order = 1, .unit = in("GB/s", rated)},
      {.header = "bound", .drop_order = 8},
  };
  double cumulative = 0;
  for (const UnitResult& unit : engine.units) {
    cumulative += unit.share;
    // A rate of another cache mode than its column's is left out.
    const bool has_rate = options.cache == "hot" || has_alone == unit.time.has_value();
    const bool is_known = has_all_totals(engine);
    table.rows.push_back(
        unit_row(unit, is_known ? std::optional(cumulative) : std::nullopt, has_rate));
  }
  add_percentiles(engine, options.percentiles, in("ms", caches.alone), table);
  if (!engine.device.empty()) add_device_times(engine, table);
  if (std::ranges::any_of(engine.units, [](const UnitResult& unit) { return !!unit.is_cold; })) {
    table.columns.push_back({.header = "cache"});
    for (size_t i = 0; i < engine.units.size(); ++i) {
      table.rows[i].cells.push_back(cold_text(engine.units[i].is_cold));
    }
  }
  return table;
}

std::string run_name(const EngineResult& run) {
  return run.engine + ", " + counted(run.threads, "thread");
}

std::string engine_text(const EngineResult& engine) {
  std::string text = engine.engine + " " + engine.version;
  std::vector<std::string> parts;
  for (const auto& [name, version] : engine.versions) {
    if (name != engine.engine || version != engine.version) parts.push_back(name + " " + version);
  }
  if (!parts.empty()) text += " (" + join(parts) + ")";
  text += ", " + counted(engine.threads, "thread");
  parts.clear();
  for (const int cpu : engine.cpus) parts.push_back(std::to_string(cpu));
  if (!parts.empty()) text += (parts.size() == 1 ? " on CPU " : " on CPUs ") + join(parts, ",");
  return text;
}

}  // namespace opbench
