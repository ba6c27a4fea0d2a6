#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

Result<Json> run_runs(const ViewContext& context, const WebRequest& request) {
  const std::string kind = request.text("kind");
  if (!kind.empty()) OPBENCH_CHECK(request.choice("kind", {"run", "night", "compare_side"}, kind));
  std::string where = "true";
  if (!kind.empty()) where += " AND kind = " + sql_text(kind);
  if (const std::string model = request.text("model"); !model.empty()) {
    where += " AND list_contains(models, " + sql_text(model) + ")";
  }
  where += words_condition(request.text("q"),
                           "concat_ws(' ', selector, array_to_string(models, ' '), "
                           "array_to_string(engines, ' '), commit_id, machine, machine_name)");
  OPBENCH_TRY(Json answer, list_answer(context, request,
                                       {.columns = entry_columns(),
                                        .from = "entries",
                                        .where = where,
                                        .order = "ended_ms DESC, entry DESC"}));
  for (Json& row : answer["rows"]) finish_entry(row);
  return answer;
}

}  // namespace

ViewDef runs_view() {
  return {.name = "runs",
          .parameters = {"q", "kind", "model", "offset", "limit"},
          .list = "rows",
          .run = run_runs};
}

}  // namespace opbench
