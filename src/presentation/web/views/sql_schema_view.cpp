#include <nlohmann/json.hpp>

#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr std::pair<const char*, const char*> kStoreTables[] = {
    {"benchmarks", "a row a measured unit or model"},
    {"predictions", "a row a predicted time"},
    {"trials", "a row a config that was tuned"},
    {"best", "the fastest trial of each task and target"},
    {"sources", "which files and lines trials came from"},
    {"environments", "machines with their software"}};

Json sql_example(const char* title, const char* sql) { return {{"title", title}, {"sql", sql}}; }

Result<Json> run_sql_schema(const ViewContext& context, const WebRequest&) {
  Json tables = Json::array();
  for (const auto& [name, help] : kStoreTables) {
    OPBENCH_TRY(const QueryResult found, context.store.query(std::string("DESCRIBE ") + name));
    Json columns = Json::array();
    for (const std::vector<Json>& row : found.rows) {
      columns.push_back({{"name", row[0]}, {"type", row[1]}});
    }
    tables.push_back({{"name", name}, {"help", help}, {"columns", std::move(columns)}});
  }
  Json examples = Json::array();
  examples.push_back(
      sql_example("The slowest units",
                  "SELECT model, engine, workload, runtime_ms_median FROM benchmarks "
                  "WHERE scope = 'unit' ORDER BY runtime_ms_median DESC LIMIT 20"));
  examples.push_back(sql_example(
      "Engines side by side",
      "SELECT model, engine, median(runtime_ms_median) AS ms, count(*) AS records FROM benchmarks "
      "WHERE scope = 'model' GROUP BY ALL ORDER BY model, ms"));
  examples.push_back(
      sql_example("Trials by task",
                  "SELECT task, target, count(*) AS trials, min(mean_s) * 1000 AS best_ms "
                  "FROM trials WHERE error_no = 0 GROUP BY ALL ORDER BY trials DESC"));
  examples.push_back(
      sql_example("What failed",
                  "SELECT error_message, count(*) AS records FROM benchmarks WHERE status <> "
                  "'ok' GROUP BY 1 ORDER BY 2 DESC"));
  return Json{{"tables", std::move(tables)}, {"examples", std::move(examples)}};
}

}  // namespace

ViewDef sql_schema_view() {
  return {.name = "sql/schema", .parameters = {}, .list = "examples", .run = run_sql_schema};
}

}  // namespace opbench
