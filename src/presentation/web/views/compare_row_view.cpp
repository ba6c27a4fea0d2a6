#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "presentation/web/compare/run_pair.h"
#include "presentation/web/compare/run_samples.h"
#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/series/series_data.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// The place of a side's point in the history: the last one of its run.
Json mark_of(const Json& runs, const Json& selector) {
  for (size_t i = runs.size(); i-- > 0;) {
    if (runs[i] == selector) return i;
  }
  return nullptr;
}

/// From 30 days before the first side to 30 days after the last one.
Result<Json> history_around(WebStore& store, const PairedRows& paired, const Json& row) {
  constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;
  constexpr int64_t kDays = 30;
  OPBENCH_TRY(
      const QueryResult times,
      store.query(fmt::format("SELECT min(began_ms), max(ended_ms) FROM entries WHERE entry "
                              "IN ({}, {})",
                              paired.entry_a, paired.entry_b)));
  SeriesWindow window;
  window.from_ms = times.rows[0][0].get<int64_t>() - kDays * kDayMs;
  window.to_ms = times.rows[0][1].get<int64_t>() + kDays * kDayMs;
  return series_data(store, row["series_b"].get<std::string>(), window);
}

Json row_commands(const PairedRows& paired, const Json& row, const Json& sample_a,
                  const Json& sample_b) {
  Json commands = Json::array();
  const auto add = [&](const std::string& title, const Json& command) {
    if (!command.is_string() || command.get<std::string>().empty()) return;
    commands.push_back(titled_command(title, command.get<std::string>()));
  };
  add("Repeat A", sample_a["reproducer"]);
  add("Repeat B", sample_b["reproducer"]);
  std::vector<std::string> engines = {row["engine_a"].get<std::string>()};
  if (row["engine_b"] != engines.front()) engines.push_back(row["engine_b"].get<std::string>());
  std::string compare =
      compare_command(row["model"].get<std::string>(), engines, paired.sides[0]["commit"]);
  if (compare.empty()) return commands;
  if (row["threads_b"] != 1) compare += fmt::format(" --threads {}", row["threads_b"].dump());
  add("Measure both side by side", compare);
  add("Find out why", compare + " --why");
  return commands;
}

Result<Json> run_compare_row(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const RunPair pair, run_pair_of(request));
  OPBENCH_TRY(const std::string key, request.needed("key"));
  OPBENCH_TRY(const auto kept, paired_rows(context, pair));
  const PairedRows& paired = *kept;
  const auto found = std::ranges::find_if(
      paired.rows, [&](const ComparedRow& row) { return row.json()["key"] == key; });
  if (found == paired.rows.end()) {
    return Error{ErrorCode::kNoMatch, fmt::format("the two sides have no row \"{}\"", key)};
  }
  const Json& row = found->json();
  OPBENCH_TRY(Json history, history_around(context.store, paired, row));
  OPBENCH_TRY(Json a, samples_of(context.store, paired.entry_a, row["series_a"]));
  OPBENCH_TRY(Json b, samples_of(context.store, paired.entry_b, row["series_b"]));
  OPBENCH_TRY(const Json environment,
              environment_difference(context.store, paired.entry_a, paired.entry_b));
  Json commands = row_commands(paired, row, a, b);
  a.erase("reproducer");
  b.erase("reproducer");
  const Json& runs = history["points"]["run"];
  const Json mark_a = mark_of(runs, paired.sides[0]["selector"]);
  const Json mark_b = mark_of(runs, paired.sides[1]["selector"]);
  return Json{{"row", row},
              {"mark_a", mark_a},
              {"mark_b", mark_b},
              {"history", std::move(history)},
              {"samples_a", std::move(a)},
              {"samples_b", std::move(b)},
              {"commands", std::move(commands)},
              {"environment", environment["rows"]}};
}

}  // namespace

ViewDef compare_row_view() {
  std::vector<std::string> parameters = pair_parameters();
  parameters.emplace_back("key");
  return {.name = "compare/row", .parameters = std::move(parameters), .run = run_compare_row};
}

}  // namespace opbench
