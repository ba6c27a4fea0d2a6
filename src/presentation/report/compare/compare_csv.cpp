#include <vector>

#include "base/errors/suggestion.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/compare/compare_table.h"
#include "presentation/report/compare/compare_text.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::vector<std::string> compare_csv_row(const CompareResult& result, const Comparison& pair,
                                         const CompareUnit& unit) {
  const auto median = [](const std::optional<Measurement>& time) {
    return time ? exact_text(time->median_ms) : std::string();
  };
  const auto bound = [](const std::optional<Measurement>& time, double Interval::*field) {
    const std::optional<Interval> interval = time ? interval_of(*time) : std::optional<Interval>();
    return interval ? exact_text((*interval).*field) : std::string();
  };
  const auto clock = [](const std::optional<Measurement>& time) {
    return time ? std::string(name_of(time->clock)) : std::string();
  };
  const auto on_device = [](const std::optional<Measurement>& time, auto ms_of) {
    return exact_text(time ? ms_of(*time) : std::nullopt);
  };
  const auto of_ratio = [&](double Ratio::*field) {
    const bool is_known = unit.ratio && (field == &Ratio::median || has_ratio_interval(unit));
    return is_known ? exact_text((*unit.ratio).*field) : std::string();
  };
  return {result.sides.at(pair.base).label,
          result.sides.at(pair.candidate).label,
          unit.identity.operator_text,
          short_shapes(unit.identity),
          std::to_string(unit.count),
          median(unit.base),
          bound(unit.base, &Interval::low),
          bound(unit.base, &Interval::high),
          median(unit.candidate),
          bound(unit.candidate, &Interval::low),
          bound(unit.candidate, &Interval::high),
          of_ratio(&Ratio::median),
          of_ratio(&Ratio::low),
          of_ratio(&Ratio::high),
          unit.verdict ? verdict_text(unit) : "",
          unit.reason.empty() || unit.remark.empty() ? unit.reason + unit.remark
                                                     : unit.reason + "; " + unit.remark,
          exact_text(unit.floor_percent),
          exact_text(unit.margin_percent),
          exact_text(unit.needs_s),
          std::to_string(unit.rounds),
          std::to_string(unit.dropped_rounds),
          workload_text(unit.identity),
          join(unit.identity.nodes, " "),
          device_name(result.sides.at(pair.base).device),
          device_name(result.sides.at(pair.candidate).device),
          clock(unit.base),
          clock(unit.candidate),
          on_device(unit.base, device_ms),
          on_device(unit.candidate, device_ms),
          on_device(unit.base, without_copies_ms),
          on_device(unit.candidate, without_copies_ms)};
}

}  // namespace

std::string compare_csv(const CompareResult& result) {
  TextTable table;
  for (const char* name : {"base",
                           "new",
                           "operator",
                           "shapes",
                           "count",
                           "base_ms",
                           "base_low_ms",
                           "base_high_ms",
                           "new_ms",
                           "new_low_ms",
                           "new_high_ms",
                           "ratio",
                           "ratio_low",
                           "ratio_high",
                           "verdict",
                           "reason",
                           "floor_percent",
                           "margin_percent",
                           "needs_s",
                           "rounds",
                           "dropped_rounds",
                           "workload",
                           "nodes",
                           "base_device",
                           "new_device",
                           "base_clock",
                           "new_clock",
                           "base_device_ms",
                           "new_device_ms",
                           "base_without_copies_ms",
                           "new_without_copies_ms"}) {
    table.columns.push_back({.header = name});
  }
  for (const Comparison& pair : result.comparisons) {
    for (const CompareUnit& unit : pair.units) {
      table.rows.push_back({compare_csv_row(result, pair, unit)});
    }
    CompareUnit model = pair.model;
    model.identity.operator_text = "model";
    table.rows.push_back({compare_csv_row(result, pair, model)});
  }
  return csv_text(table);
}

}  // namespace opbench
