#include "presentation/web/series/series_alerts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

constexpr size_t kMostAlertRows = 50;

struct NightTimes {
  int64_t began_ms = 0, ended_ms = 0;
};

Result<std::map<std::string, NightTimes>> times_of_nights(WebStore& store,
                                                          const SuiteNights& nights) {
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format("SELECT night, began_ms, ended_ms FROM entries WHERE kind = "
                                      "'night' AND suite = {} AND branch = {} AND machine = {}",
                                      sql_text(nights.suite), sql_text(nights.branch),
                                      sql_text(nights.machine))));
  std::map<std::string, NightTimes> times;
  for (const std::vector<Json>& row : found.rows) {
    times[row[0].get<std::string>()] = {row[1].get<int64_t>(), row[2].get<int64_t>()};
  }
  return times;
}

/// The last point that is not after a time; -1: there is none.
int64_t last_until(const Json& at_epoch_ms, int64_t ms) {
  int64_t last = -1;
  for (int64_t i = 0; i < static_cast<int64_t>(at_epoch_ms.size()); ++i) {
    if (at_epoch_ms[static_cast<size_t>(i)].get<int64_t>() <= ms) last = i;
  }
  return last;
}

/// The first point that is not before a time; the number of points: there is none.
int64_t first_from(const Json& at_epoch_ms, int64_t ms) {
  const auto count = static_cast<int64_t>(at_epoch_ms.size());
  for (int64_t i = 0; i < count; ++i) {
    if (at_epoch_ms[static_cast<size_t>(i)].get<int64_t>() >= ms) return i;
  }
  return count;
}

/// The places of an alert's two nights among the points; by their times where a night has none.
/// Below 0, or as many as there are points: outside of the window.
std::pair<int64_t, int64_t> places_of_alert(const Json& points, const Alert& alert,
                                            const NightTimes& good, const NightTimes& bad) {
  int64_t from = -1, to = -1;
  const Json& night = points["night"];
  for (size_t i = 0; i < night.size(); ++i) {
    if (night[i] == alert.range.good_date) from = static_cast<int64_t>(i);
    if (to < 0 && night[i] == alert.range.bad_date) to = static_cast<int64_t>(i);
  }
  if (from >= 0 && from < to) return {from, to};
  return {last_until(points["at_epoch_ms"], good.ended_ms),
          first_from(points["at_epoch_ms"], bad.began_ms)};
}

bool is_known_alert(const Json& alerts, const std::string& id) {
  return std::ranges::any_of(alerts, [&](const Json& alert) { return alert["id"] == id; });
}

void mark_words(const Json& words, int64_t at, Json& data) {
  for (Json word : words) {
    word["at"] = at;
    data["annotations"].push_back(std::move(word));
  }
}

}  // namespace

Result<void> mark_alerts(WebStore& store, const SuiteNights& nights,
                         const SuiteFindingsKept& findings, Json& data, Json& alerts) {
  OPBENCH_TRY(const AlertPages pages, AlertPages::make(store, nights, findings));
  OPBENCH_TRY(const auto times, times_of_nights(store, nights));
  const auto count = static_cast<int64_t>(data["points"]["at_epoch_ms"].size());
  int64_t open = 0;
  for (const Alert& alert : findings.kept.report.alerts) {
    const auto row = std::ranges::find_if(alert.rows, [&](const AlertRow& candidate) {
      return pages.id_of(candidate.series) == data["info"]["id"];
    });
    if (row == alert.rows.end()) continue;
    if (is_open(alert)) ++open;
    if (!is_known_alert(alerts, alert.id)) alerts.push_back(pages.info(alert, kMostAlertRows));
    const auto good = times.find(alert.range.good_date), bad = times.find(alert.range.bad_date);
    if (good == times.end() || bad == times.end() || count == 0) continue;
    const auto [from, to] = places_of_alert(data["points"], alert, good->second, bad->second);
    if (from < 0 || to >= count) continue;  // outside of the window
    data["alerts"].push_back({{"id", alert.id},
                              {"from", from},
                              {"to", to},
                              {"change_pct", percent_change(row->log_ratio)},
                              {"state", name_of(alert.state)},
                              {"life", name_of(alert.life)}});
    mark_words(pages.words_on(alert), to, data);
  }
  data["info"]["alerts"] = open;
  return {};
}

Result<AlertTimes> times_of_alert(WebStore& store, const SuiteNights& nights,
                                  const SuiteFindingsKept& findings, const std::string& id) {
  std::vector<std::string> known;
  for (const Alert& alert : findings.kept.report.alerts) {
    known.push_back(alert.id);
    if (alert.id != id) continue;
    OPBENCH_TRY(const auto times, times_of_nights(store, nights));
    const auto good = times.find(alert.range.good_date), bad = times.find(alert.range.bad_date);
    if (good == times.end() || bad == times.end()) break;
    return AlertTimes{good->second.ended_ms, bad->second.began_ms};
  }
  return unknown_name("alert", id, known);
}

}  // namespace opbench
