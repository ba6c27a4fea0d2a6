#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <optional>

#include "presentation/web/series/series_alerts.h"
#include "presentation/web/series/series_data.h"
#include "presentation/web/view.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

constexpr size_t kMostSeries = 12;
constexpr int64_t kWeekMs = int64_t{7} * 24 * 3600 * 1000;

/// RFC 3339 or a date, in epoch milliseconds.
Result<int64_t> moment_of(WebStore& store, const std::string& name, const std::string& text) {
  const auto found =
      store.query("SELECT epoch_ms(TRY_CAST(" + sql_text(text) + " AS TIMESTAMPTZ))");
  if (found && found->rows[0][0].is_number()) return found->rows[0][0].get<int64_t>();
  return invalid_input(fmt::format("\"{}\" is no value of {}", text, name))
      .with("for instance", "2026-11-28, 2026-11-28T02:00:00Z");
}

Result<SeriesWindow> window_of(WebStore& store, const WebRequest& request) {
  constexpr int64_t kFewest = 10;
  SeriesWindow window;
  OPBENCH_TRY(window.most_points, request.whole("limit", kFewest, SeriesWindow::kUsualPoints,
                                                SeriesWindow::kUsualPoints));
  if (const std::string from = request.text("from"); !from.empty()) {
    OPBENCH_TRY(window.from_ms, moment_of(store, "from", from));
  }
  if (const std::string to = request.text("to"); !to.empty()) {
    OPBENCH_TRY(window.to_ms, moment_of(store, "to", to));
  }
  return window;
}

/// What `regress` kept of the suites that some series belong to.
struct FindingsOfSeries {
  std::map<SuiteNights, std::optional<SuiteFindingsKept>> suites;  ///< nothing: nobody analysed it
  std::map<std::string, SuiteNights> suite_of;  ///< by id; of series whose suite was analysed
};

/// Reads each suite once.
Result<FindingsOfSeries> findings_of_series(WebStore& store, const std::vector<std::string>& ids) {
  FindingsOfSeries found;
  for (const std::string& id : ids) {
    OPBENCH_TRY(const auto nights, suite_of_series(store, id));
    if (!nights) continue;
    const auto [suite, is_new] = found.suites.try_emplace(*nights);
    if (is_new) {
      OPBENCH_TRY(suite->second, findings_of_suite(store, *nights));
    }
    if (suite->second) found.suite_of.emplace(id, *nights);
  }
  return found;
}

/// The nights of all suites, one suite behind the other.
std::vector<Night> nights_of(const FindingsOfSeries& found) {
  std::vector<Night> nights;
  for (const auto& [suite, findings] : found.suites) {
    if (!findings) continue;
    nights.insert(nights.end(), findings->kept.nights.begin(), findings->kept.nights.end());
  }
  return nights;
}

/// One week on both sides of an alert.
Result<void> move_around(WebStore& store, const std::string& id, const FindingsOfSeries& found,
                         const std::string& alert, SeriesWindow& window) {
  const auto suite = found.suite_of.find(id);
  if (suite == found.suite_of.end()) {
    return invalid_input(fmt::format("the series \"{}\" has no alerts", id));
  }
  OPBENCH_TRY(const AlertTimes times,
              times_of_alert(store, suite->second, *found.suites.at(suite->second), alert));
  window.from_ms = times.good_ms - kWeekMs;
  window.to_ms = times.bad_ms + kWeekMs;
  return {};
}

Result<Json> run_series(const ViewContext& context, const WebRequest& request) {
  const std::vector<std::string> ids = request.all("id");
  if (ids.empty()) return invalid_input("the parameter \"id\" is missing");
  if (ids.size() > kMostSeries) {
    return invalid_input(fmt::format("{} series are asked for", ids.size()))
        .with("valid", fmt::format("at most {}", kMostSeries));
  }
  OPBENCH_TRY(SeriesWindow window, window_of(context.store, request));
  OPBENCH_TRY(const std::string by, request.choice("by", {"time", "commit"}, "time"));
  OPBENCH_TRY(const FindingsOfSeries found, findings_of_series(context.store, ids));
  if (const std::string alert = request.text("around"); !alert.empty()) {
    OPBENCH_CHECK(move_around(context.store, ids.front(), found, alert, window));
  }
  OPBENCH_TRY(const std::vector<std::string> commits,
              commits_of_series(context.store, ids, nights_of(found)));
  if (by == "commit") window.commits = commits;
  Json answer = {{"series", Json::array()}, {"alerts", Json::array()}, {"commits", commits}};
  for (const std::string& id : ids) {
    OPBENCH_TRY(Json data, series_data(context.store, id, window));
    if (const auto suite = found.suite_of.find(id); suite != found.suite_of.end()) {
      OPBENCH_CHECK(mark_alerts(context.store, suite->second, *found.suites.at(suite->second), data,
                                answer["alerts"]));
    }
    answer["series"].push_back(std::move(data));
  }
  return answer;
}

/// A row a point of each series.
Json table_of_series(const Json& answer) {
  Json rows = Json::array();
  for (const Json& data : answer["series"]) {
    const Json& points = data["points"];
    for (size_t i = 0; i < points["ms"].size(); ++i) {
      Json row = {{"series", data["info"]["id"]}, {"label", data["info"]["label"]}};
      for (const auto& [name, column] : points.items()) row[name] = column[i];
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

ViewDef series_view() {
  return {.name = "series",
          .parameters = {"id", "from", "to", "around", "by", "limit"},
          .table = table_of_series,
          .run = run_series};
}

}  // namespace opbench
