#include <nlohmann/json.hpp>

#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

Result<Json> run_workloads(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string sort,
              request.choice("sort", {"records", "last", "name"}, "records"));
  const std::string order = sort == "name" ? "workload" : sort + "_order DESC, workload";
  return list_answer(
      context, request,
      {.columns = "workload, shapes, engines, records, best_ms, last_at",
       .from = "(SELECT unit AS workload, any_value(shapes) AS shapes, list_sort(list(DISTINCT "
               "engine)) AS engines, sum(points)::BIGINT AS records, min(newest) AS best_ms, "
               "moment(max(last_ms)) AS last_at, sum(points) AS records_order, max(last_ms) AS "
               "last_order FROM series JOIN stats USING (series_key) WHERE scope = 'unit' GROUP BY "
               "unit)",
       .where = "true" + words_condition(request.text("q"), "concat_ws(' ', workload, shapes)"),
       .order = order});
}

}  // namespace

ViewDef workloads_view() {
  return {.name = "workloads",
          .parameters = {"q", "sort", "offset", "limit"},
          .list = "rows",
          .run = run_workloads};
}

}  // namespace opbench
