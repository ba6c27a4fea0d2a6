#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/text/shell_word.h"
#include "presentation/report/regress/regress_report.h"
#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr size_t kMostShownAlerts = 200;
constexpr size_t kMostShownRows = 50;
constexpr int kShownNights = 60;
constexpr size_t kMostCommits = 100;

/// The suite, branch and machine that a request names; what it leaves out: those measured last.
Result<SuiteNights> wanted_suite(WebStore& store, const WebRequest& request) {
  std::string where = "kind = 'night'";
  for (const char* name : {"suite", "branch"}) {
    const std::string value = request.text(name);
    if (!value.empty()) where += fmt::format(" AND {} = {}", name, sql_text(value));
  }
  if (const std::string machine = request.text("machine"); !machine.empty()) {
    where += " AND starts_with(machine, " + sql_text(machine) + ")";
  }
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT suite, coalesce(branch, ''), machine FROM entries WHERE " +
                          where + " ORDER BY ended_ms DESC LIMIT 1"));
  if (!found.rows.empty()) {
    const std::vector<Json>& row = found.rows[0];
    return SuiteNights{row[0].get<std::string>(), row[1].get<std::string>(),
                       row[2].get<std::string>()};
  }
  OPBENCH_TRY(const QueryResult known,
              store.query("SELECT DISTINCT suite || '/' || coalesce(branch, '') FROM entries WHERE "
                          "kind = 'night' ORDER BY 1 LIMIT 20"));
  if (known.rows.empty()) {
    return Error{ErrorCode::kNoMatch, "the store has no nights of a suite"}.with(
        "measure one", "opbench regress --suite FILE");
  }
  std::vector<std::string> names;
  for (const std::vector<Json>& row : known.rows) names.push_back(row[0].get<std::string>());
  Error error = unknown_name("suite", request.text("suite") + "/" + request.text("branch"), names);
  error.code = ErrorCode::kNoMatch;
  return error;
}

/// Nights as `entries` has them, newest first.
Result<Json> last_nights(WebStore& store, const SuiteNights& nights) {
  OPBENCH_TRY(
      const QueryResult found,
      store.query(fmt::format(
          "SELECT entry, selector, night, moment(began_ms) AS began_at, moment(ended_ms) AS at, "
          "rows, failures, commit_id, method, surroundings, machine_name FROM entries WHERE kind = "
          "'night' AND suite = {} AND coalesce(branch, '') = {} AND machine = {} ORDER BY ended_ms "
          "DESC, entry DESC LIMIT {}",
          sql_text(nights.suite), sql_text(nights.branch), sql_text(nights.machine),
          kShownNights)));
  return rows_json(found);
}

/// Series that one night has and the other has not.
Result<Json> series_beside(WebStore& store, const Json& with, const Json& without) {
  OPBENCH_TRY(
      const QueryResult found,
      store.query(fmt::format(
          "WITH w AS (SELECT DISTINCT series_key FROM {} WHERE ms IS NOT NULL), o AS (SELECT "
          "DISTINCT series_key FROM {} WHERE ms IS NOT NULL) "
          "SELECT watch_id AS series, id FROM w ANTI JOIN o USING (series_key) JOIN series "
          "USING (series_key) ORDER BY 1 LIMIT 200",
          points_of_entry(with["entry"].get<int64_t>()),
          points_of_entry(without["entry"].get<int64_t>()))));
  Json list = rows_json(found);
  for (Json& row : list) row["label"] = AlertPages::label_of(row["series"].get<std::string>());
  return list;
}

Result<Json> failures_of_night(WebStore& store, const Json& night) {
  OPBENCH_TRY(
      const QueryResult found,
      store.query(fmt::format(
          "SELECT s.model AS subject, s.engine, s.threads, any_value(f.text) AS reason FROM "
          "failures f JOIN entry_runs er USING (run_key) JOIN series s USING (series_key) "
          "WHERE er.entry = {} GROUP BY ALL ORDER BY 1, 2, 3 LIMIT 200",
          night["entry"].get<int64_t>())));
  return rows_json(found);
}

Result<int64_t> rebuilt_units(WebStore& store, const Json& before, const Json& after) {
  const auto codes = [](const Json& night) {
    return fmt::format(
        "SELECT series_key, arg_max(code, at_ms) AS code FROM {} GROUP BY series_key",
        points_of_entry(night["entry"].get<int64_t>()));
  };
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format("SELECT count(*) FROM ({}) x JOIN ({}) y USING (series_key) "
                                      "WHERE x.code <> y.code",
                                      codes(before), codes(after))));
  return found.rows[0][0].get<int64_t>();
}

void add_change(const char* what, const Json& before, const Json& after, Json& list) {
  if (before == after || before.is_null() || after.is_null()) return;
  list.push_back({{"what", what}, {"before", before}, {"after", after}});
}

/// What differs from the night before.
Result<Json> changes_since(WebStore& store, const Json& before, const Json& after) {
  Json list = Json::array();
  add_change("commit", before["commit_id"], after["commit_id"], list);
  add_change("environment", before["surroundings"], after["surroundings"], list);
  add_change("method", before["method"], after["method"], list);
  OPBENCH_TRY(const int64_t rebuilt, rebuilt_units(store, before, after));
  if (rebuilt > 0) {
    list.push_back(
        {{"what", "code"},
         {"before", ""},
         {"after", fmt::format("{} rows run other code than the night before", rebuilt)}});
  }
  return list;
}

/// Alerts that are open first, then those of the newest nights.
std::vector<const Alert*> shown_alerts(const RegressReport& report) {
  std::vector<const Alert*> alerts;
  for (const Alert& alert : report.alerts) alerts.push_back(&alert);
  std::ranges::stable_sort(alerts, [](const Alert* x, const Alert* y) {
    if (is_open(*x) != is_open(*y)) return is_open(*x);
    return x->range.bad_night > y->range.bad_night;
  });
  if (alerts.size() > kMostShownAlerts) alerts.resize(kMostShownAlerts);
  return alerts;
}

void add_findings(const SuiteFindingsKept& findings, const AlertPages& pages, const Json& night,
                  Json& answer) {
  const KeptFindings& kept = findings.kept;
  const RegressReport& report = kept.report;
  answer["is_analysed"] = kept.night == night["night"];
  if (kept.night != night["night"]) {
    answer["why"] = fmt::format("what stands here is what the night {} found", kept.night);
  }
  answer["analysed_at"] = kept.at;
  answer["ran"]["cases"] = kept.cases;
  answer["ran"]["left_out"] = kept.left_out;
  for (const Fact& failure : kept.failures) {
    answer["ran"]["failures"].push_back(
        {{"subject", failure.label}, {"engine", ""}, {"threads", 0}, {"reason", failure.text}});
  }
  RegressReport open = report;
  std::erase_if(open.alerts, [](const Alert& alert) { return !is_open(alert); });
  const std::string found = found_text(open);
  answer["is_quiet"] = open.alerts.empty();
  answer["verdict"] = open.alerts.empty() ? "it ran and found nothing" : found;
  answer["detector"] = report.detector;
  answer["paired_runs"] = report.paired_runs;
  answer["pairs"] = report.pairs;
  answer["nights"] = report.nights;
  answer["series"] = report.series;
  answer["notes"] = report.notes;
  answer["noisiest"] = report.noisiest;
  answer["alert_total"] = report.alerts.size();
  for (const Alert* alert : shown_alerts(report)) {
    answer["alerts"].push_back(pages.info(*alert, kMostShownRows));
  }
  for (const Night& measured : kept.nights) {
    if (measured.date != kept.night) continue;
    for (const Commit& commit : measured.commits) {
      if (answer["commits"].size() == kMostCommits) break;
      answer["commits"].push_back(
          {{"id", commit.id}, {"url", nullptr}, {"kind", commit.is_code ? "code" : "docs"}});
    }
  }
}

Json night_list(const Json& nights, const SuiteFindingsKept* findings) {
  Json list = Json::array();
  for (auto night = nights.rbegin(); night != nights.rend(); ++night) {
    int64_t alerts = 0;
    if (findings != nullptr) {
      for (const Alert& alert : findings->kept.report.alerts) {
        if (alert.range.bad_date == (*night)["night"]) ++alerts;
      }
    }
    list.push_back({{"night", (*night)["night"]},
                    {"at", (*night)["at"]},
                    {"rows", (*night)["rows"]},
                    {"failures", (*night)["failures"]},
                    {"alerts", alerts},
                    {"commit", (*night)["commit_id"]}});
  }
  return list;
}

Json tonight_commands(const SuiteNights& nights) {
  const std::string branch = nights.branch.empty() ? "" : " --branch " + shell_word(nights.branch);
  Json commands = Json::array();
  commands.push_back(
      titled_command("Measure the next night", "opbench regress --suite FILE" + branch));
  commands.push_back(titled_command("The week as text",
                                    "opbench regress digest --suite FILE --since 7d" + branch));
  return commands;
}

Json empty_tonight(const SuiteNights& nights, const Json& night) {
  return {{"suite", nights.suite},
          {"branch", nights.branch},
          {"machine", nights.machine.substr(0, 12)},
          {"machine_name",
           night["machine_name"].is_null() ? Json("unknown machine") : night["machine_name"]},
          {"is_analysed", false},
          {"why", nullptr},
          {"night", night["night"]},
          {"began_at", night["began_at"]},
          {"ended_at", night["at"]},
          {"analysed_at", nullptr},
          {"commit", night["commit_id"]},
          {"commit_url", nullptr},
          {"ran",
           {{"cases", 0}, {"rows", night["rows"]}, {"failures", Json::array()}, {"left_out", 0}}},
          {"verdict", "not analysed yet"},
          {"is_quiet", false},
          {"detector", nullptr},
          {"paired_runs", 0},
          {"pairs", 0},
          {"nights", 0},
          {"series", 0},
          {"alerts", Json::array()},
          {"alert_total", 0},
          {"missing", Json::array()},
          {"appeared", Json::array()},
          {"changed", Json::array()},
          {"notes", Json::array()},
          {"noisiest", Json::array()},
          {"commits", Json::array()}};
}

Result<Json> run_tonight(const ViewContext& context, const WebRequest& request) {
  WebStore& store = context.store;
  OPBENCH_TRY(const SuiteNights suite, wanted_suite(store, request));
  OPBENCH_TRY(const Json nights, last_nights(store, suite));
  const Json& night = nights.at(0);
  Json answer = empty_tonight(suite, night);
  OPBENCH_TRY(answer["ran"]["failures"], failures_of_night(store, night));
  OPBENCH_TRY(const auto findings, findings_of_suite(store, suite));
  if (findings) {
    OPBENCH_TRY(const AlertPages pages, AlertPages::make(store, suite, *findings));
    add_findings(*findings, pages, night, answer);
  } else {
    answer["why"] = "no findings are kept of this suite: opbench regress --suite FILE makes them";
  }
  answer["compare"] = Json();
  if (nights.size() > 1) {
    const Json& before = nights[1];
    OPBENCH_TRY(answer["missing"], series_beside(store, before, night));
    for (Json& row : answer["missing"]) row["since"] = night["night"];
    OPBENCH_TRY(answer["appeared"], series_beside(store, night, before));
    OPBENCH_TRY(answer["changed"], changes_since(store, before, night));
    answer["compare"] = {{"a", before["selector"]}, {"b", night["selector"]}};
  }
  answer["history"] = night_list(nights, findings ? &*findings : nullptr);
  answer["commands"] = tonight_commands(suite);
  return answer;
}

}  // namespace

ViewDef tonight_view() {
  return {.name = "tonight",
          .parameters = {"suite", "branch", "machine"},
          .list = "alerts",
          .run = run_tonight};
}

}  // namespace opbench
