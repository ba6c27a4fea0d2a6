#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// A row a task and target; times of trials are seconds in the store.
constexpr const char* kTasks =
    "(SELECT left(md5(concat_ws(chr(31), task, args, target)), 16) AS \"key\", task, args, target, "
    "count(*) AS trials, count(*) FILTER (error_no <> 0) AS failed, 1000 * min(mean_s) FILTER "
    "(error_no = 0) AS best_ms, 1000 * arg_min(mean_s, timestamp_unix) FILTER (error_no = 0) AS "
    "first_ms, NULL AS best_at_trial, moment((1000 * max(timestamp_unix))::BIGINT) AS last_at, "
    "max(timestamp_unix) AS last_order FROM trials GROUP BY task, args, target)";

Result<Json> run_tuning(const ViewContext& context, const WebRequest& request) {
  const std::map<std::string, std::string> orders = {
      {"trials", "trials"}, {"best", "best_ms"}, {"name", "task || args"}, {"last", "last_order"}};
  OPBENCH_TRY(const std::string sort,
              request.choice("sort", {"trials", "best", "name", "last"}, "trials"));
  OPBENCH_TRY(const bool is_descending, request.is_descending(sort != "name" && sort != "best"));
  std::string where = "true";
  if (const std::string target = request.text("target"); !target.empty()) {
    where += " AND target = " + sql_text(target);
  }
  where += words_condition(request.text("q"), "concat_ws(' ', task, args, target)");
  OPBENCH_TRY(Json answer,
              list_answer(context, request,
                          {.columns = "* EXCLUDE (last_order)",
                           .from = kTasks,
                           .where = where,
                           .order = fmt::format("{} {} NULLS LAST, \"key\"", orders.at(sort),
                                                is_descending ? "DESC" : "ASC")}));
  OPBENCH_TRY(const QueryResult targets,
              context.store.query("SELECT DISTINCT target FROM trials ORDER BY 1 LIMIT 200"));
  answer["targets"] = Json::array();
  for (const std::vector<Json>& row : targets.rows) answer["targets"].push_back(row[0]);
  return answer;
}

}  // namespace

ViewDef tuning_view() {
  return {.name = "tuning",
          .parameters = {"q", "target", "sort", "order", "offset", "limit"},
          .list = "rows",
          .run = run_tuning};
}

}  // namespace opbench
