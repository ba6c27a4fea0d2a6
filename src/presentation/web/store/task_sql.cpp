#include "presentation/web/store/task_sql.h"

#include <fmt/format.h>

namespace opbench {

std::vector<std::string> task_tables() {
  return {
      "CREATE TABLE task_parts (workload_key UBIGINT, target VARCHAR, task VARCHAR, args VARCHAR, "
      "trials BIGINT, failed BIGINT, best_s DOUBLE, first_s DOUBLE, first_unix DOUBLE, last_unix "
      "DOUBLE)"};
}

std::string task_addition(const std::string& scan) {
  return fmt::format(
      "INSERT INTO task_parts SELECT workload_key, target, task, args, count(*), count(*) FILTER "
      "(error_no <> 0), min(mean_s) FILTER (error_no = 0), arg_min(mean_s, timestamp_unix) FILTER "
      "(error_no = 0), min(timestamp_unix) FILTER (error_no = 0), max(timestamp_unix) FROM {} "
      "GROUP BY ALL",
      scan);
}

std::string task_conclusion() {
  return "CREATE OR REPLACE TABLE tasks AS SELECT left(md5(concat_ws(chr(31), task, args, "
         "target)), 16) AS \"key\", any_value(workload_key) AS workload_key, task, args, target, "
         "sum(trials)::BIGINT AS trials, sum(failed)::BIGINT AS failed, 1000 * min(best_s) AS "
         "best_ms, 1000 * arg_min(first_s, first_unix) AS first_ms, max(last_unix) AS last_unix "
         "FROM task_parts GROUP BY task, args, target";
}

}  // namespace opbench
