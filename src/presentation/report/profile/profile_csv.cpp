#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/suggestion.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"
#include "measuring/results/unit_totals.h"
#include "presentation/report/profile/profile_table.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kColumns[] = {"engine",
                                    "version",
                                    "threads",
                                    "operator",
                                    "shapes",
                                    "count",
                                    "median_ms",
                                    "low_ms",
                                    "high_ms",
                                    "in_place_ms",
                                    "total_ms",
                                    "share",
                                    "flops",
                                    "bytes",
                                    "gflops_per_s",
                                    "percent_of_peak",
                                    "gbytes_per_s",
                                    "bound",
                                    "schedule",
                                    "failure",
                                    "workload",
                                    "nodes",
                                    "reproducer",
                                    "cold",
                                    "tuned_from",
                                    "scope",
                                    "model",
                                    "cache",
                                    "total_cache",
                                    "sum_in_place_ms",
                                    "dispatch_ms",
                                    "call_overhead_ms",
                                    "gap_percent",
                                    "inconclusive",
                                    "peak_memory_mb",
                                    "remark",
                                    "emulator",
                                    "device",
                                    "clock",
                                    "device_ms",
                                    "device_clock",
                                    "copies_ms",
                                    "without_copies_ms"};

/// One line of the file, by column; what is not set is empty.
class CsvRow {
 public:
  CsvRow(const ProfileResult& result, const EngineResult& engine)
      : cells_(std::size(kColumns)), clock_(clock_of(engine)), percents_(result.percentiles) {
    set("engine", engine.engine);
    set("version", engine.version);
    set("threads", std::to_string(engine.threads));
    set("model", result.model);
    set("emulator", engine.emulator);
    set("device", device_name(engine.device));
  }

  void set(std::string_view column, std::string text) {
    const auto place = std::ranges::find(kColumns, column);
    cells_[static_cast<size_t>(place - std::begin(kColumns))] = std::move(text);
  }

  void set_time(const std::optional<Measurement>& time, const std::string& cache) {
    const Measurement none;
    for (const Percentile& one : percentiles_of(time ? *time : none, percents_)) {
      percentiles_.push_back(exact_text(one.ms));
    }
    if (!time) return;
    set("median_ms", exact_text(time->median_ms));
    if (const std::optional<Interval> interval = interval_of(*time)) {
      set("low_ms", exact_text(interval->low));
      set("high_ms", exact_text(interval->high));
    }
    set("cache", cache);
    set("clock", std::string(name_of(clock_)));
    const std::optional<double> on_device = device_ms(*time);
    set("device_ms", exact_text(on_device));
    if (on_device) set("device_clock", std::string(name_of(TimeClock::kEvent)));
    const std::optional<double> copies = copies_ms(*time);
    if (copies.value_or(0) <= 0) return;
    set("copies_ms", exact_text(copies));
    set("without_copies_ms", exact_text(without_copies_ms(*time)));
  }

  TextRow row() && {
    cells_.insert(cells_.end(), percentiles_.begin(), percentiles_.end());
    return {std::move(cells_)};
  }

 private:
  std::vector<std::string> cells_;
  TimeClock clock_;
  const std::vector<double>& percents_;
  std::vector<std::string> percentiles_;
};

TextRow row_of_unit(const ProfileResult& result, const EngineResult& engine,
                    const UnitResult& unit) {
  CsvRow row(result, engine);
  const TimeCaches caches = caches_of(engine, result.cache);
  row.set("scope", "unit");
  row.set("operator", unit.identity.operator_text);
  row.set("shapes", short_shapes(unit.identity));
  row.set("count", std::to_string(unit.count));
  row.set_time(unit.time, caches.alone);
  row.set("in_place_ms", exact_text(unit.in_place_ms));
  row.set("total_ms", exact_text(unit.total_ms));
  row.set("total_cache", caches.total);
  if (has_all_totals(engine)) row.set("share", exact_text(unit.share));
  row.set("flops", exact_text(unit.flops));
  row.set("bytes", exact_text(unit.bytes));
  row.set("gflops_per_s", exact_text(unit.gflops_per_s));
  row.set("percent_of_peak", exact_text(unit.percent_of_peak));
  row.set("gbytes_per_s", exact_text(unit.gbytes_per_s));
  row.set("bound", unit.bound);
  row.set("schedule", unit.identity.schedule);
  row.set("failure", unit.failure ? to_text(*unit.failure) : "");
  row.set("workload", workload_text(unit.identity));
  row.set("nodes", join(unit.identity.nodes, " "));
  row.set("reproducer", unit.reproducer);
  row.set("cold", unit.is_cold ? (*unit.is_cold ? "true" : "false") : "");
  row.set("tuned_from", unit.identity.origin);
  row.set("remark", unit.remark);
  return std::move(row).row();
}

TextRow row_of_model(const ProfileResult& result, const EngineResult& engine) {
  CsvRow row(result, engine);
  const ModelResult& model = engine.model;
  row.set("scope", "model");
  row.set("count", "1");
  row.set_time(model.end_to_end, "hot");
  row.set("failure", model.end_to_end ? "" : model.end_to_end_reason);
  row.set("sum_in_place_ms", exact_text(model.sum_in_place_ms));
  row.set("dispatch_ms", exact_text(model.dispatch_ms));
  row.set("call_overhead_ms", exact_text(model.call_overhead_ms));
  if (model.inconclusive.empty()) row.set("gap_percent", exact_text(model.gap_percent));
  row.set("inconclusive", model.inconclusive);
  row.set("peak_memory_mb", exact_text(model.peak_memory_mb));
  row.set("remark", found_wrong(engine.check) ? engine.check.reason : "");
  return std::move(row).row();
}

}  // namespace

std::string profile_csv(const ProfileResult& result) {
  TextTable table;
  for (const char* name : kColumns) table.columns.push_back({.header = name});
  for (const double percent : result.percentiles) {
    table.columns.push_back({.header = percentile_name(percent) + "_ms"});
  }
  for (const EngineResult& engine : result.engines) {
    for (const UnitResult& unit : engine.units) {
      table.rows.push_back(row_of_unit(result, engine, unit));
    }
    if (result.scope == "model") table.rows.push_back(row_of_model(result, engine));
  }
  return csv_text(table);
}

}  // namespace opbench
