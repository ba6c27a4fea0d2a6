#include <nlohmann/json.hpp>

#include "presentation/web/plans/plan_pages.h"
#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// Plans and reports of interference that the store keeps, and runs whose command line names a
/// plan.
Result<Json> run_plans(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(
      Json answer,
      list_answer(
          context, request,
          {.columns = "selector AS run, array_to_string(models, ', ') AS label, "
                      "moment(ended_ms) AS at, engines[1] AS engine, threads[1] AS threads, "
                      "(SELECT arg_max(p.ms, p.at_ms) FROM points p JOIN entry_runs er USING "
                      "(run_key) JOIN series s USING (series_key) WHERE er.entry = "
                      "entries.entry AND s.scope = 'model') AS end_to_end_ms",
           .from = "entries",
           .where = "(list_contains(argv, '--plan') OR len(list_filter(argv, w -> "
                    "starts_with(w, '--plan='))) > 0)",
           .order = "ended_ms DESC, entry DESC"}));
  answer["why_none"] =
      answer["total"] == 0
          ? Json("no run of a plan is in the store: opbench profile MODEL --plan FILE")
          : Json();
  answer["plans"] = plan_rows(context.store);
  answer["interference"] = interference_rows(context.store);
  return answer;
}

}  // namespace

ViewDef plans_view() {
  return {.name = "plans", .parameters = {"offset", "limit"}, .list = "rows", .run = run_plans};
}

}  // namespace opbench
