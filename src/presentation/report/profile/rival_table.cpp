#include "presentation/report/profile/rival_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/unit_totals.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string rival_table_place_text(TimePlace place, const std::string& cache) {
  const bool is_in_place = place == TimePlace::kInPlace;
  return unit_in(is_in_place ? "ms in model" : "ms isolated", is_in_place ? "hot" : cache, cache);
}

/// `text` of the units of the first engine that has some, each once.
std::string text_of(const RivalRow& row, const std::vector<const EngineResult*>& engines,
                    std::string (*text)(const UnitResult&)) {
  for (size_t e = 0; e < engines.size(); ++e) {
    std::vector<std::string> texts;
    for (const size_t unit : row.units[e]) {
      std::string one = printable(text(engines[e]->units[unit]));
      if (std::ranges::find(texts, one) == texts.end()) texts.push_back(std::move(one));
    }
    if (!texts.empty()) return join(texts);
  }
  return "";
}

std::string rival_table_operator(const UnitResult& unit) { return unit.identity.operator_text; }
std::string rival_table_shapes(const UnitResult& unit) { return short_shapes(unit.identity); }
std::string rival_table_reproducer(const UnitResult& unit) { return unit.reproducer; }

bool has_failed(const RivalRow& row, const EngineResult& engine, size_t index) {
  return std::ranges::any_of(row.units[index], [&](size_t unit) {
    return engine.units[unit].failure && !is_unmeasured(engine.units[unit]);
  });
}

std::vector<std::string> lines_below(const RivalRow& row,
                                     const std::vector<const EngineResult*>& engines) {
  std::vector<std::string> lines;
  for (size_t e = 0; e < engines.size(); ++e) {
    for (const size_t unit : row.units[e]) {
      const auto& failure = engines[e]->units[unit].failure;
      if (failure && !is_unmeasured(engines[e]->units[unit])) {
        lines.push_back(printable(engines[e]->engine + " failed: " + to_text(*failure)));
      }
      const std::string remark = printable(engines[e]->units[unit].remark);
      const bool is_known = std::ranges::find(lines, remark) != lines.end();
      if (!remark.empty() && !is_known) lines.push_back(remark);
    }
  }
  const std::string command = text_of(row, engines, rival_table_reproducer);
  const bool is_one = row.units.front().size() == 1;
  if (is_one && !command.empty()) lines.push_back(command);
  return lines;
}

}  // namespace

TextTable rival_table(const std::vector<const EngineResult*>& engines, const Rivals& rivals,
                      const std::string& cache) {
  const std::string& first = engines.front()->engine;
  const auto is_ranked = [&](size_t e) { return rivals.places[e] == rivals.places.front(); };
  TextTable table;
  table.columns = {{.header = "operator", .shrinks_to = 16},
                   {.header = "shapes", .shrinks_to = 16},
                   {.header = "count", .is_right_aligned = true, .drop_order = 2}};
  for (size_t e = 0; e < engines.size(); ++e) {
    table.columns.push_back({.header = printable(engines[e]->engine),
                             .is_right_aligned = true,
                             .shrinks_to = 8,
                             .unit = rival_table_place_text(rivals.places[e], cache)});
    if (e > 0) {
      table.columns.push_back({.header = "to " + printable(first),
                               .is_right_aligned = true,
                               .shrinks_to = 8,
                               .drop_order = 3});
    }
  }
  table.columns.push_back({.header = "share",
                           .is_right_aligned = true,
                           .drop_order = 1,
                           .unit = "of " + printable(first)});
  double sum = 0;
  for (const RivalRow& row : rivals.rows) sum += row.total_ms.front().value_or(0);
  for (const RivalRow& row : rivals.rows) {
    std::vector<std::string> cells = {text_of(row, engines, rival_table_operator),
                                      text_of(row, engines, rival_table_shapes),
                                      std::to_string(row.count)};
    const std::optional<double>& base = row.total_ms.front();
    for (size_t e = 0; e < engines.size(); ++e) {
      const std::optional<double>& ms = row.total_ms[e];
      const bool failed = has_failed(row, *engines[e], e);
      cells.push_back(failed ? "failed" : ms ? ms_text(*ms) : "-");
      const bool has_ratio = is_ranked(e) && ms && base && *base > 0;
      if (e > 0) cells.push_back(has_ratio ? fmt::format("{:.2f} ×", *ms / *base) : "-");
    }
    cells.push_back(base && sum > 0 ? percent_text(*base / sum) : "-");
    table.rows.push_back({std::move(cells), lines_below(row, engines)});
  }
  return table;
}

}  // namespace opbench
