#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "base/text/shell_word.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr const char* kRows =
    "SELECT engine, threads, left(machine, 12) AS machine, coalesce((SELECT "
    "any_value(machine_name) "
    "FROM entries e WHERE e.machine = series.machine), 'unknown machine') AS machine_name, NULL AS "
    "schedule, list_sort(list(DISTINCT model)) AS models, count(*) AS records, min(p.ms) AS "
    "best_ms, "
    "median(p.ms) AS median_ms, arg_max(p.ms, p.at_ms) AS last_ms, moment(max(p.at_ms)) AS "
    "last_at, "
    "arg_max(id, p.at_ms) AS series, NULL AS percent_of_peak FROM series JOIN points p USING "
    "(series_key) WHERE scope = 'unit' AND p.ms IS NOT NULL AND unit = {} GROUP BY engine, "
    "threads, "
    "series.machine ORDER BY best_ms LIMIT 500";

constexpr const char* kPredictions =
    "SELECT predictor, predicted_ms_median AS ms, predicted_ms_low AS low_ms, predicted_ms_high AS "
    "high_ms, moment(epoch_ms(\"timestamp\")) AS at, left(machine_hash, 12) AS machine FROM "
    "predictions WHERE workload = {0} OR substr(workload, strpos(workload, '.') + 1) = {0} ORDER "
    "BY "
    "\"timestamp\" DESC LIMIT 100";

/// Tasks of our own schedules on the workload: their first argument is its text.
Result<Json> tasks_of_workload(WebStore& store, const std::string& workload) {
  const std::string begin = "[" + json_text(Json(workload)) + ",";
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT \"key\", task, target, trials, best_ms FROM tasks WHERE "
                          "best_ms IS NOT NULL AND starts_with(args, " +
                          sql_text(begin) + ") ORDER BY best_ms LIMIT 100"));
  return rows_json(found);
}

Result<Json> run_workload(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string workload, request.needed("workload"));
  const std::string text = sql_text(workload);
  OPBENCH_TRY(const QueryResult rows, context.store.query(fmt::format(fmt::runtime(kRows), text)));
  OPBENCH_TRY(
      const QueryResult known,
      context.store.query("SELECT any_value(shapes), count(*) FROM series WHERE unit = " + text));
  if (known.rows[0][1] == 0) {
    return Error{ErrorCode::kNoMatch, fmt::format("the store has no workload \"{}\"", workload)}
        .with("measure it", "opbench op " + shell_word(workload));
  }
  OPBENCH_TRY(const QueryResult predictions,
              context.store.query(fmt::format(fmt::runtime(kPredictions), text)));
  OPBENCH_TRY(const Json tasks, tasks_of_workload(context.store, workload));
  return Json{{"workload", workload},    {"shapes", known.rows[0][0]},
              {"rows", rows_json(rows)}, {"predictions", rows_json(predictions)},
              {"tasks", tasks},          {"command", "opbench op " + shell_word(workload)}};
}

}  // namespace

ViewDef workload_view() {
  return {.name = "workload", .parameters = {"workload"}, .list = "rows", .run = run_workload};
}

}  // namespace opbench
