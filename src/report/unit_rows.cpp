#include "opbench/report/unit_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "opbench/base/suggestion.h"
#include "opbench/report/display_width.h"
#include "opbench/report/number_text.h"

namespace opbench {
namespace {

constexpr double kKeyShare = 0.9;

std::string optional_text(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : "-";
}

std::string percent_of(double percent) { return fmt::format("{:.0f} %", percent); }

std::string cold_text(const std::optional<bool>& is_cold) {
  if (!is_cold) return "-";
  return *is_cold ? "cold" : "not cold";
}

TextRow unit_row(const UnitResult& unit, double cumulative) {
  TextRow row;
  const bool has_total = unit.time || unit.in_place_ms;
  row.cells = {printable(unit.operator_text),
               printable(unit.shapes),
               std::to_string(unit.count),
               unit.time      ? ms_text(unit.time->median_ms)
               : unit.failure ? "failed"
                              : "-",
               precision_text(unit.time),
               optional_text(unit.in_place_ms, ms_text),
               has_total ? ms_text(unit.total_ms) : "-",
               has_total ? percent_text(unit.share) : "-",
               has_total ? percent_text(cumulative) : "-",
               optional_text(unit.gflops_per_s, rate_text),
               optional_text(unit.percent_of_peak, percent_of),
               optional_text(unit.gbytes_per_s, rate_text),
               unit.bound.empty() ? "-" : unit.bound};
  if (unit.failure) row.below.push_back("failed: " + printable(to_text(*unit.failure)));
  if (!unit.reproducer.empty()) row.below.push_back(printable(unit.reproducer));
  return row;
}

}  // namespace

std::string precision_text(const std::optional<Measurement>& time) {
  if (!time || time->median_ms <= 0) return "";
  return fmt::format("{:.1f} %", 50 * (time->high_ms - time->low_ms) / time->median_ms);
}

TextTable unit_table(const EngineResult& engine) {
  TextTable table;
  table.columns = {
      {.header = "operator", .shrinks_to = 16},
      {.header = "shapes", .shrinks_to = 12},
      {.header = "count", .is_right_aligned = true},
      {.header = "alone", .is_right_aligned = true, .unit = "ms"},
      {.header = "±", .is_right_aligned = true, .drop_order = 4},
      {.header = "in place", .is_right_aligned = true, .drop_order = 6, .unit = "ms"},
      {.header = "total", .is_right_aligned = true, .unit = "ms"},
      {.header = "share", .is_right_aligned = true},
      {.header = "cumulated", .is_right_aligned = true, .drop_order = 2},
      {.header = "rate", .is_right_aligned = true, .drop_order = 3, .unit = "GFLOP/s"},
      {.header = "of peak", .is_right_aligned = true, .drop_order = 7},
      {.header = "traffic", .is_right_aligned = true, .drop_order = 1, .unit = "GB/s"},
      {.header = "bound", .drop_order = 5},
  };
  double cumulative = 0;
  for (const UnitResult& unit : engine.units) {
    cumulative += unit.share;
    table.rows.push_back(unit_row(unit, cumulative));
  }
  if (std::ranges::any_of(engine.units, [](const UnitResult& unit) { return !!unit.is_cold; })) {
    table.columns.push_back({.header = "cache"});
    for (size_t i = 0; i < engine.units.size(); ++i) {
      table.rows[i].cells.push_back(cold_text(engine.units[i].is_cold));
    }
  }
  return table;
}

size_t key_unit_count(const EngineResult& engine) {
  double share = 0;
  for (size_t i = 0; i < engine.units.size(); ++i) {
    share += engine.units[i].share;
    if (share >= kKeyShare) return i + 1;
  }
  return engine.units.size();
}

std::string engine_text(const EngineResult& engine) {
  std::string text = engine.engine + " " + engine.version;
  std::vector<std::string> parts;
  for (const auto& [name, version] : engine.versions) {
    if (name != engine.engine || version != engine.version) parts.push_back(name + " " + version);
  }
  if (!parts.empty()) text += " (" + join(parts) + ")";
  text += fmt::format(", {} thread{}", engine.threads, engine.threads == 1 ? "" : "s");
  parts.clear();
  for (const int cpu : engine.cpus) parts.push_back(std::to_string(cpu));
  if (!parts.empty()) text += (parts.size() == 1 ? " on CPU " : " on CPUs ") + join(parts, ",");
  return text;
}

}  // namespace opbench
