#include <nlohmann/json.hpp>

#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/view.h"
#include "records/store/kept_reports.h"

namespace opbench {
namespace {

constexpr const char* kCounts =
    "SELECT (SELECT count(*) FROM points) AS benchmarks, (SELECT coalesce(sum(trials), 0)::BIGINT "
    "FROM tasks) AS trials, "
    "(SELECT count(*) FROM predictions) AS predictions, (SELECT count(*) FROM entries) AS runs, "
    "(SELECT count(*) FROM series) AS series, (SELECT moment(min(first_ms)) FROM stats) AS "
    "first_at, (SELECT moment(max(last_ms)) FROM stats) AS last_at";

/// The two newest entries that have most in common: nights of one suite, else runs of one model,
/// else sides of one comparison.
constexpr const char* kDefaultPair =
    "SELECT a.selector AS a, b.selector AS b FROM (SELECT * FROM entries ORDER BY ended_ms DESC, "
    "entry DESC LIMIT 500) b JOIN (SELECT * FROM entries ORDER BY ended_ms DESC, entry DESC LIMIT "
    "500) a ON a.entry < b.entry AND a.kind = b.kind AND a.machine = b.machine AND CASE WHEN "
    "a.kind = 'night' THEN a.suite = b.suite AND a.branch = b.branch WHEN a.kind = 'compare_side' "
    "THEN a.run_id = b.run_id ELSE a.models = b.models AND a.engines = b.engines END ORDER BY "
    "b.ended_ms DESC, b.entry DESC, a.ended_ms DESC, a.entry DESC LIMIT 1";

constexpr const char* kSuites =
    "SELECT suite, branch, left(machine, 12) AS machine, any_value(machine_name) AS machine_name, "
    "count(*) AS nights, arg_max(night, ended_ms) AS last_night, moment(max(ended_ms)) AS last_at, "
    "machine AS machine_hash FROM entries WHERE kind = 'night' GROUP BY suite, branch, machine "
    "ORDER BY max(ended_ms) DESC LIMIT 100";

Json hint(const char* page, const char* text, const char* command) {
  return {{"page", page}, {"text", text}, {"command", command}};
}

Json count_or_null(const QueryResult& result, const char* name) {
  const Json& count = result.rows[0][0];
  return count == 0 ? Json() : Json{{name, count}};
}

Result<Json> overview_suites(WebStore& store) {
  OPBENCH_TRY(const QueryResult found, store.query(kSuites));
  Json suites = rows_json(found);
  for (Json& suite : suites) {
    const auto findings = findings_of_suite(
        store, {suite["suite"], suite["branch"], suite["machine_hash"].get<std::string>()});
    suite["open_alerts"] = findings && *findings ? Json(open_alerts(**findings)) : Json();
    suite.erase("machine_hash");
  }
  return suites;
}

Result<Json> first_row(WebStore& store, const std::string& sql) {
  OPBENCH_TRY(const QueryResult found, store.query(sql));
  return row_json(found);
}

Result<Json> overview_pages(const ViewContext& context, const Json& suites) {
  WebStore& store = context.store;
  Json pages = Json::object();
  OPBENCH_TRY(pages["compare"], first_row(store, kDefaultPair));
  OPBENCH_TRY(const QueryResult longest,
              store.query("SELECT s.id FROM series s JOIN stats USING (series_key) ORDER BY suite "
                          "IS NULL, points DESC, scope, id LIMIT 4"));
  Json ids = Json::array();
  for (const std::vector<Json>& row : longest.rows) ids.push_back(row[0]);
  pages["series"] = ids.empty() ? Json() : Json{{"id", ids}};
  pages["tonight"] = Json();
  if (!suites.empty()) {
    pages["tonight"] = {{"suite", suites[0]["suite"]},
                        {"branch", suites[0]["branch"]},
                        {"machine", suites[0]["machine"]}};
  }
  OPBENCH_TRY(pages["model"],
              first_row(store,
                        "SELECT e.selector AS run FROM entries e JOIN entry_runs er USING "
                        "(entry) JOIN points p USING (run_key) JOIN series s USING "
                        "(series_key) WHERE s.scope = 'unit' AND e.entry IN (SELECT entry "
                        "FROM entries ORDER BY ended_ms DESC LIMIT 50) AND p.at_ms >= (SELECT "
                        "min(began_ms) FROM (SELECT began_ms FROM entries ORDER BY ended_ms "
                        "DESC LIMIT 50)) GROUP BY e.entry, "
                        "e.selector, e.kind, e.ended_ms HAVING count(DISTINCT s.unit) > 1 "
                        "ORDER BY e.kind <> 'run', e.ended_ms DESC LIMIT 1"));
  OPBENCH_TRY(const QueryResult tasks, store.query("SELECT count(*) FROM tasks"));
  pages["tuning"] = count_or_null(tasks, "tasks");
  OPBENCH_TRY(const QueryResult machines,
              store.query("SELECT count(DISTINCT machine) FROM entries"));
  pages["machines"] = count_or_null(machines, "machines");
  OPBENCH_TRY(pages["workload"],
              first_row(store,
                        "SELECT unit AS workload FROM series WHERE scope = 'unit' GROUP BY "
                        "unit ORDER BY count(*) DESC, unit LIMIT 1"));
  OPBENCH_TRY(const QueryResult plans,
              store.query("SELECT count(*) FROM entries WHERE list_contains(argv, '--plan') OR "
                          "len(list_filter(argv, w -> starts_with(w, '--plan='))) > 0"));
  const int64_t kept = std::ssize(kept_reports(store.folder(), kPlanReports)) +
                       std::ssize(kept_reports(store.folder(), kInterferenceReports));
  const int64_t plan_count = plans.rows[0][0].get<int64_t>() + kept;
  pages["plans"] = plan_count == 0 ? Json() : Json{{"plans", plan_count}};
  pages["sql"] = context.exported_at.empty() ? Json::object() : Json();
  return pages;
}

Json empty_hints(const Json& pages) {
  const Json all = {
      hint("compare", "Two runs of one model, or two nights of one suite, stand side by side here.",
           "opbench profile resnet-18"),
      hint("series", "What was measured again and again has a history here.",
           "opbench regress --suite nightly.toml"),
      hint("tonight", "What a suite of every night found stands here.",
           "opbench regress --suite nightly.toml"),
      hint("model", "The units of a model that was profiled stand here.",
           "opbench profile resnet-18 --engine halide,onnxruntime"),
      hint("tuning", "Trials of tuning stand here.", "opbench tune resnet-18"),
      hint("machines", "Machines that measured something stand here.", "opbench profile resnet-18"),
      hint("workload", "All that was recorded of one workload stands here.",
           "opbench op 'conv2d 1x64x56x56 64x64x3x3'"),
      hint("plans", "Runs of plans stand here.", "opbench profile resnet-18 --plan r18.plan.json")};
  Json hints = Json::array();
  for (const Json& item : all) {
    if (pages[item["page"].get<std::string>()].is_null()) hints.push_back(item);
  }
  return hints;
}

Result<Json> run_overview(const ViewContext& context, const WebRequest&) {
  OPBENCH_TRY(Json store, first_row(context.store, kCounts));
  store["name"] = context.store.folder().filename().string();
  OPBENCH_TRY(Json suites, overview_suites(context.store));
  OPBENCH_TRY(Json pages, overview_pages(context, suites));
  Json answer = {
      {"api", 1}, {"version", context.version}, {"is_export", !context.exported_at.empty()}};
  if (!context.exported_at.empty()) {
    answer["exported_at"] = context.exported_at;
    answer["left_out"] = context.left_out;
  }
  answer["store"] = std::move(store);
  answer["empty_hints"] = empty_hints(pages);
  answer["pages"] = std::move(pages);
  answer["suites"] = std::move(suites);
  return answer;
}

}  // namespace

ViewDef overview_view() {
  return {.name = "overview", .parameters = {}, .list = "suites", .run = run_overview};
}

}  // namespace opbench
