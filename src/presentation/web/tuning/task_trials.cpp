#include "presentation/web/tuning/task_trials.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace opbench {
namespace {

constexpr const char* kProgress =
    "WITH t AS (SELECT row_number() OVER (ORDER BY timestamp_unix, file, line, id) AS n, CASE WHEN "
    "error_no = 0 AND mean_s > 0 THEN 1000 * mean_s END AS ms FROM {0}), b AS (SELECT n, ms, "
    "min(ms) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS best, min(ms) OVER (ORDER BY n ROWS "
    "BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM t) SELECT n, ms, best, before IS "
    "NULL OR ms < before AS is_better FROM b WHERE ms IS NOT NULL AND (n % {1} = 0 OR before IS "
    "NULL OR ms < before) ORDER BY n";

constexpr const char* kErrors =
    "SELECT coalesce(nullif(split_part(error_message, chr(10), 1), ''), 'error ' || error_no) AS "
    "error, count(*) AS count FROM {} WHERE error_no <> 0 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10";

}  // namespace

Result<TaskOfStore> task_of_key(WebStore& store, const std::string& key) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT workload_key::VARCHAR, task, args, target, trials, failed FROM "
                          "tasks WHERE \"key\" = " +
                          sql_text(key)));
  if (found.rows.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("the store has no task \"{}\"", key)}.with(
        "known", "api/tuning names them");
  }
  const std::vector<Json>& row = found.rows[0];
  TaskOfStore task{.task = row[1].get<std::string>(),
                   .args = row[2].get<std::string>(),
                   .target = row[3].get<std::string>(),
                   .trials = row[4].get<int64_t>(),
                   .failed = row[5].get<int64_t>()};
  task.from = fmt::format(
      "(SELECT * FROM trials WHERE workload_key = {}::UBIGINT AND target = {} AND task = {} AND "
      "args = {})",
      row[0].get<std::string>(), sql_text(task.target), sql_text(task.task), sql_text(task.args));
  return task;
}

std::string own_workload_of(const TaskOfStore& task) {
  const Json args = Json::parse(task.args, nullptr, false);
  const bool is_own = task.task.ends_with(".opbench") && args.is_array() && !args.empty();
  return is_own && args[0].is_string() ? args[0].get<std::string>() : "";
}

Result<Json> task_errors(WebStore& store, const TaskOfStore& task) {
  OPBENCH_TRY(const QueryResult found, store.query(fmt::format(fmt::runtime(kErrors), task.from)));
  return rows_json(found);
}

Result<Json> task_progress(WebStore& store, const TaskOfStore& task) {
  constexpr int64_t kMostShownTrials = 800;
  const int64_t step =
      std::max<int64_t>(1, (task.trials + kMostShownTrials - 1) / kMostShownTrials);
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format(fmt::runtime(kProgress), task.from, step)));
  Json trial = Json::array(), ms = Json::array(), best = Json::array();
  Json best_at;
  for (const std::vector<Json>& row : found.rows) {
    trial.push_back(row[0]);
    ms.push_back(row[1]);
    best.push_back(row[2]);
    if (row[3] == true) best_at = row[0];
  }
  return Json{{"trial", std::move(trial)},
              {"ms", std::move(ms)},
              {"best_ms", std::move(best)},
              {"best_at_trial", best_at}};
}

Result<Json> task_file(WebStore& store, const TaskOfStore& task) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT arg_max(file, timestamp_unix) FROM " + task.from));
  return found.rows[0][0];
}

}  // namespace opbench
