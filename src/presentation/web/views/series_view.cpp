#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

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

/// One week on both sides of an alert.
Result<void> move_around(WebStore& store, const std::string& id, const std::string& alert,
                         SeriesWindow& window) {
  OPBENCH_TRY(const auto nights, suite_of_series(store, id));
  if (!nights) return invalid_input(fmt::format("the series \"{}\" has no alerts", id));
  OPBENCH_TRY(const auto findings, findings_of_suite(store, *nights));
  if (!findings) return invalid_input(fmt::format("the series \"{}\" has no alerts", id));
  OPBENCH_TRY(const AlertTimes times, times_of_alert(store, *nights, *findings, alert));
  window.from_ms = times.good_ms - kWeekMs;
  window.to_ms = times.bad_ms + kWeekMs;
  return {};
}

/// What `regress` kept of the suite that a series belongs to.
struct SeriesFindings {
  SuiteNights nights;
  SuiteFindingsKept findings;
};
using FindingsById = std::map<std::string, std::optional<SeriesFindings>>;

/// By the id of each series; nothing for one without a suite, or whose nights nobody analysed.
Result<FindingsById> findings_of_series(WebStore& store, const std::vector<std::string>& ids) {
  FindingsById found;
  for (const std::string& id : ids) {
    OPBENCH_TRY(auto nights, suite_of_series(store, id));
    std::optional<SeriesFindings>& one = found[id];
    if (!nights) continue;
    OPBENCH_TRY(auto findings, findings_of_suite(store, *nights));
    if (findings) one = SeriesFindings{std::move(*nights), std::move(*findings)};
  }
  return found;
}

/// The nights of all suites, one suite behind the other.
std::vector<Night> nights_of(const FindingsById& findings) {
  std::vector<Night> nights;
  std::set<std::string> suites;
  for (const auto& [id, found] : findings) {
    if (!found) continue;
    const SuiteNights& suite = found->nights;
    if (!suites.insert(suite.suite + '\n' + suite.branch + '\n' + suite.machine).second) continue;
    const std::vector<Night>& own = found->findings.kept.nights;
    nights.insert(nights.end(), own.begin(), own.end());
  }
  return nights;
}

Result<Json> run_series(const ViewContext& context, const WebRequest& request) {
  const std::vector<std::string> ids = request.all("id");
  if (ids.empty()) return invalid_input("the parameter \"id\" is missing");
  if (ids.size() > kMostSeries) {
    return invalid_input(fmt::format("{} series are asked for", ids.size()))
        .with("valid", fmt::format("at most {}", kMostSeries));
  }
  OPBENCH_TRY(SeriesWindow window, window_of(context.store, request));
  if (const std::string alert = request.text("around"); !alert.empty()) {
    OPBENCH_CHECK(move_around(context.store, ids.front(), alert, window));
  }
  OPBENCH_TRY(const std::string by, request.choice("by", {"time", "commit"}, "time"));
  OPBENCH_TRY(const FindingsById findings, findings_of_series(context.store, ids));
  OPBENCH_TRY(const std::vector<std::string> commits,
              commits_of_series(context.store, ids, nights_of(findings)));
  if (by == "commit") window.commits = commits;
  Json answer = {{"series", Json::array()}, {"alerts", Json::array()}, {"commits", commits}};
  for (const std::string& id : ids) {
    OPBENCH_TRY(Json data, series_data(context.store, id, window));
    if (const auto& found = findings.at(id)) {
      OPBENCH_CHECK(
          mark_alerts(context.store, found->nights, found->findings, data, answer["alerts"]));
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
