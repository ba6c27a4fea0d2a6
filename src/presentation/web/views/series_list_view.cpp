#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "presentation/web/requests/list_query.h"
#include "presentation/web/requests/suite_findings.h"
#include "presentation/web/series/series_data.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// Open alerts, by the id of their series.
Result<std::map<std::string, int64_t>> alerts_by_series(WebStore& store) {
  std::map<std::string, int64_t> alerts;
  OPBENCH_TRY(const QueryResult suites,
              store.query("SELECT DISTINCT suite, branch, machine FROM entries WHERE kind = "
                          "'night' AND branch IS NOT NULL"));
  for (const std::vector<Json>& row : suites.rows) {
    const SuiteNights nights{row[0].get<std::string>(), row[1].get<std::string>(),
                             row[2].get<std::string>()};
    OPBENCH_TRY(const auto findings, findings_of_suite(store, nights));
    if (!findings) continue;
    OPBENCH_TRY(const AlertPages pages, AlertPages::make(store, nights, *findings));
    for (const Alert& alert : findings->kept.report.alerts) {
      if (!is_open(alert)) continue;
      for (const AlertRow& changed : alert.rows) {
        const Json id = pages.id_of(changed.series);
        if (id.is_string()) ++alerts[id.get<std::string>()];
      }
    }
  }
  return alerts;
}

std::string alert_values(const std::map<std::string, int64_t>& alerts) {
  std::string values = "(SELECT NULL::VARCHAR AS id, 0 AS open WHERE false";
  for (const auto& [id, count] : alerts) {
    values += fmt::format(" UNION ALL SELECT {}, {}", sql_text(id), count);
  }
  return values + ")";
}

std::string series_where(const WebRequest& request) {
  std::string where = "true";
  for (const char* name : {"model", "engine", "suite", "scope"}) {
    if (const std::string value = request.text(name); !value.empty()) {
      where += fmt::format(" AND {} = {}", name, sql_text(value));
    }
  }
  if (const std::string machine = request.text("machine"); !machine.empty()) {
    where += " AND starts_with(machine, " + sql_text(machine) + ")";
  }
  if (request.text("alerts") == "1") where += " AND open > 0";
  return where + words_condition(request.text("q"),
                                 "concat_ws(' ', engine, model, unit, shapes, suite, branch)");
}

Result<void> add_choices(WebStore& store, Json& answer) {
  for (const auto& [member, column] : {std::pair("engines", "engine"), std::pair("models", "model"),
                                       std::pair("suites", "suite")}) {
    OPBENCH_TRY(
        const QueryResult found,
        store.query(fmt::format("SELECT DISTINCT {0} FROM series WHERE {0} <> '' ORDER BY 1 "
                                "LIMIT 200",
                                column)));
    Json& list = answer[member] = Json::array();
    for (const std::vector<Json>& row : found.rows) list.push_back(row[0]);
  }
  OPBENCH_TRY(
      const QueryResult machines,
      store.query("SELECT left(machine, 12) AS machine, coalesce(any_value(machine_name), "
                  "'unknown machine') AS name FROM entries GROUP BY 1 ORDER BY 2 LIMIT 200"));
  answer["machines"] = rows_json(machines);
  return {};
}

Result<Json> run_series_list(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string sort,
              request.choice("sort", {"alerts", "change", "points", "last", "name"}, "alerts"));
  OPBENCH_TRY(const bool is_descending, request.is_descending(sort != "name"));
  OPBENCH_TRY(const auto alerts, alerts_by_series(context.store));
  const std::map<std::string, std::string> orders = {{"alerts", "coalesce(open, 0)"},
                                                     {"change", "abs(ln(newest / before))"},
                                                     {"points", "points"},
                                                     {"last", "last_ms"},
                                                     {"name", "engine || model || unit"}};
  std::string columns = series_columns();
  columns.replace(columns.rfind("0 AS alerts"), std::string::npos, "coalesce(open, 0) AS alerts");
  OPBENCH_TRY(Json answer,
              list_answer(context, request,
                          {.columns = columns,
                           .from = "series JOIN stats USING (series_key) LEFT JOIN " +
                                   alert_values(alerts) + " USING (id)",
                           .where = series_where(request),
                           .order = fmt::format("{} {} NULLS LAST, points DESC, id",
                                                orders.at(sort), is_descending ? "DESC" : "ASC")}));
  OPBENCH_CHECK(add_choices(context.store, answer));
  return answer;
}

}  // namespace

ViewDef series_list_view() {
  return {.name = "series/list",
          .parameters = {"q", "model", "engine", "suite", "machine", "scope", "alerts", "sort",
                         "order", "offset", "limit"},
          .list = "rows",
          .run = run_series_list};
}

}  // namespace opbench
