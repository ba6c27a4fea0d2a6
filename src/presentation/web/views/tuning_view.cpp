#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

constexpr const char* kTaskColumns =
    "\"key\", task, args, target, trials, failed, best_ms, first_ms, CASE WHEN last_unix BETWEEN "
    "-62135596800 AND 253402300799 THEN moment((1000 * last_unix)::BIGINT) END AS last_at";

Result<Json> run_tuning(const ViewContext& context, const WebRequest& request) {
  const std::map<std::string, std::string> orders = {
      {"trials", "trials"}, {"best", "best_ms"}, {"name", "task || args"}, {"last", "last_unix"}};
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
                          {.columns = kTaskColumns,
                           .from = "tasks",
                           .where = where,
                           .order = fmt::format("{} {} NULLS LAST, \"key\"", orders.at(sort),
                                                is_descending ? "DESC" : "ASC")}));
  OPBENCH_TRY(const QueryResult targets,
              context.store.query("SELECT DISTINCT target FROM tasks ORDER BY 1 LIMIT 200"));
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
