#include <fmt/format.h>

#include <algorithm>

#include "presentation/report/interference/interference_report.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string interference_tables_ratio_text(const std::optional<Slowdown>& slowdown) {
  return slowdown ? fmt::format("{:.3f}", slowdown->ratio) : "-";
}

std::string interference_tables_interval_text(const std::optional<Slowdown>& slowdown) {
  if (!slowdown) return "-";
  return fmt::format("{:.3f} to {:.3f}", slowdown->interval.low, slowdown->interval.high);
}

std::string share_text(const std::optional<double>& share) {
  return share ? percent_text(*share) : "-";
}

std::optional<double> interference_tables_ratio_of(const std::optional<Slowdown>& slowdown) {
  return slowdown ? std::optional(slowdown->ratio) : std::nullopt;
}

double worst_of(const MeasuredCorun& corun) {
  double worst = 0;
  for (const auto& side : corun.slowdowns) worst = std::max(worst, side ? side->ratio : 0);
  return worst;
}

/// The side that is slowed more.
size_t worse_side(const MeasuredCorun& corun) {
  const auto& sides = corun.slowdowns;
  return sides[1] && (!sides[0] || sides[1]->ratio > sides[0]->ratio) ? 1 : 0;
}

/// The sides whose slow-downs a pair has: both; of a unit beside itself, which is either side, the
/// worse one.
std::vector<size_t> sides_of(const InterferencePair& pair) {
  if (pair.first == pair.second) return {worse_side(pair.corun)};
  return {0, 1};
}

std::string unit_label(const InterferenceUnit& unit) {
  return fmt::format("{} {} {}", unit.key, unit.identity.operator_text,
                     short_shapes(unit.identity));
}

/// The cells of one slow-down in the table for CSV.
std::vector<std::string> slowdown_cells(const std::string& slowed, const std::string& by,
                                        const MeasuredCorun& corun, size_t side,
                                        const PairForecast* forecast) {
  const auto& slowdown = corun.slowdowns[side];
  const auto number = [](const std::optional<double>& value) { return exact_text(value); };
  std::vector<std::string> cells = {slowed, by};
  cells.push_back(number(interference_tables_ratio_of(slowdown)));
  cells.push_back(slowdown ? number(slowdown->interval.low) : "");
  cells.push_back(slowdown ? number(slowdown->interval.high) : "");
  cells.push_back(forecast != nullptr ? number(forecast->curve) : "");
  cells.push_back(forecast != nullptr ? number(forecast->bandwidth_share) : "");
  cells.push_back(std::to_string(corun.kept));
  cells.push_back(std::to_string(corun.dropped_rounds()));
  cells.push_back(slowdown ? "" : corun.reason);
  return cells;
}

void add_pair_rows(const InterferenceResult& result, TextTable& table) {
  for (const InterferencePair& pair : result.pairs) {
    for (const size_t side : sides_of(pair)) {
      const size_t unit = side == 0 ? pair.first : pair.second;
      const size_t beside = side == 0 ? pair.second : pair.first;
      table.rows.push_back(
          {slowdown_cells(result.units[unit].key, result.units[beside].key, pair.corun, side,
                          pair.forecasts ? &(*pair.forecasts)[side] : nullptr)});
    }
  }
}

}  // namespace

HeatMap interference_map(const InterferenceResult& result) {
  HeatMap map;
  for (const InterferenceUnit& unit : result.units) map.rows.push_back(unit_label(unit));
  if (!result.has_pairs) {
    map.title = "slow-down beside a neighbour of this working set";
    for (const InterferenceLevel& level : result.levels) map.columns.push_back(level.name);
    for (const auto& row : result.beside) {
      std::vector<std::optional<double>>& cells = map.cells.emplace_back();
      for (const MeasuredCorun& one : row)
        cells.push_back(interference_tables_ratio_of(one.slowdowns[0]));
    }
    map.rows.push_back("reference probe");
    std::vector<std::optional<double>>& cells = map.cells.emplace_back();
    for (const InterferenceLevel& level : result.levels) {
      cells.push_back(interference_tables_ratio_of(level.probe.slowdowns[0]));
    }
    return map;
  }
  map.title = "slow-down of the row beside the column";
  const size_t count = result.units.size();
  for (const InterferenceUnit& unit : result.units) map.columns.push_back(unit.key);
  map.cells.assign(count, std::vector<std::optional<double>>(count));
  for (const InterferencePair& pair : result.pairs) {
    for (const size_t side : sides_of(pair)) {
      const size_t unit = side == 0 ? pair.first : pair.second;
      const size_t beside = side == 0 ? pair.second : pair.first;
      map.cells[unit][beside] = interference_tables_ratio_of(pair.corun.slowdowns[side]);
    }
  }
  return map;
}

TextTable unit_table(const InterferenceResult& result) {
  TextTable table;
  table.columns = {{.header = "unit"},
                   {.header = "model", .drop_order = 1},
                   {.header = "operator"},
                   {.header = "shapes", .shrinks_to = 20},
                   {.header = "in model", .is_right_aligned = true, .unit = "ms"},
                   {.header = "alone", .is_right_aligned = true, .unit = "ms"},
                   {.header = "count", .is_right_aligned = true, .drop_order = 2},
                   {.header = "share", .is_right_aligned = true},
                   {.header = "pressure", .is_right_aligned = true},
                   {.header = "interval", .drop_order = 3}};
  for (size_t i = 0; i < result.units.size(); ++i) {
    const InterferenceUnit& unit = result.units[i];
    const auto pressure = result.pressure_of(i);
    table.rows.push_back(
        {{unit.key, unit.subject, unit.identity.operator_text, short_shapes(unit.identity),
          ms_text(unit.in_model_ms), unit.alone_ms > 0 ? ms_text(unit.alone_ms) : "-",
          std::to_string(unit.count), percent_text(unit.share),
          interference_tables_ratio_text(pressure), interference_tables_interval_text(pressure)}});
  }
  return table;
}

TextTable avoid_table(const InterferenceResult& result) {
  TextTable table;
  table.columns = {{.header = "pair"},
                   {.header = "slow-down", .is_right_aligned = true},
                   {.header = "interval"},
                   {.header = "of the other", .is_right_aligned = true},
                   {.header = "interval ", .drop_order = 1},
                   {.header = "throughput", .is_right_aligned = true},
                   {.header = "predicted", .is_right_aligned = true},
                   {.header = "kept", .is_right_aligned = true, .drop_order = 2},
                   {.header = "dropped", .is_right_aligned = true, .drop_order = 3},
                   {.header = "for sure"}};
  std::vector<const InterferencePair*> pairs;
  for (const InterferencePair& pair : result.pairs) {
    if (worst_of(pair.corun) > result.threshold) pairs.push_back(&pair);
  }
  std::ranges::stable_sort(pairs, std::greater(),
                           [](const InterferencePair* pair) { return worst_of(pair->corun); });
  for (const InterferencePair* pair : pairs) {
    const auto& sides = pair->corun.slowdowns;
    const size_t worse = worse_side(pair->corun);
    const size_t units[] = {pair->first, pair->second};
    table.rows.push_back(
        {{fmt::format("{} beside {}", result.units[units[worse]].key,
                      result.units[units[1 - worse]].key),
          interference_tables_ratio_text(sides[worse]),
          interference_tables_interval_text(sides[worse]),
          interference_tables_ratio_text(sides[1 - worse]),
          interference_tables_interval_text(sides[1 - worse]),
          sides[0] && sides[1] ? fmt::format("{:.2f}", throughput_of(*sides[0], *sides[1])) : "-",
          pair->forecasts ? fmt::format("{:.3f}", (*pair->forecasts)[worse].curve) : "-",
          std::to_string(pair->corun.kept), std::to_string(pair->corun.dropped_rounds()),
          sides[worse]->interval.low > result.threshold ? "yes" : "no"}});
  }
  return table;
}

TextTable forecast_table(const InterferenceResult& result) {
  TextTable table;
  table.columns = {{.header = "forecast"},
                   {.header = "slow-downs", .is_right_aligned = true},
                   {.header = "mean error", .is_right_aligned = true},
                   {.header = "median", .is_right_aligned = true},
                   {.header = "worst", .is_right_aligned = true},
                   {.header = "precision", .is_right_aligned = true},
                   {.header = "recall", .is_right_aligned = true},
                   {.header = "found", .is_right_aligned = true},
                   {.header = "false alarms", .is_right_aligned = true},
                   {.header = "missed", .is_right_aligned = true}};
  for (const ForecastErrors& one : result.errors) {
    table.rows.push_back(
        {{one.method, std::to_string(one.pairs), percent_text(one.mean_error),
          percent_text(one.median_error), percent_text(one.worst_error),
          share_text(one.precision()), share_text(one.recall()), std::to_string(one.hits),
          std::to_string(one.false_alarms), std::to_string(one.misses)}});
  }
  return table;
}

TextTable slowdown_table(const InterferenceResult& result) {
  TextTable table;
  for (const char* header : {"slowed", "by", "slow_down", "low", "high", "predicted",
                             "bandwidth_share", "kept", "dropped", "reason"}) {
    table.columns.push_back({.header = header});
  }
  add_pair_rows(result, table);
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    for (size_t level = 0; level < result.levels.size(); ++level) {
      table.rows.push_back({slowdown_cells(result.units[unit].key, result.levels[level].name,
                                           result.beside[unit][level], 0, nullptr)});
    }
  }
  for (const InterferenceLevel& level : result.levels) {
    table.rows.push_back({slowdown_cells("probe", level.name, level.probe, 0, nullptr)});
  }
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    const size_t probe =
        static_cast<size_t>(std::ranges::find(result.levels, true, &InterferenceLevel::is_probe) -
                            result.levels.begin());
    table.rows.push_back(
        {slowdown_cells("probe", result.units[unit].key, result.beside[unit][probe], 1, nullptr)});
  }
  return table;
}

}  // namespace opbench
