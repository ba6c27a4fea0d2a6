#include <nlohmann/json.hpp>

#include "presentation/web/plans/plan_pages.h"
#include "presentation/web/view.h"
#include "records/store/kept_reports.h"

namespace opbench {
namespace {

Result<Json> run_plans_interference(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string id, request.needed("id"));
  OPBENCH_TRY(const std::string text,
              read_report(context.store.folder(), kInterferenceReports, id));
  OPBENCH_TRY(const InterferenceFile report,
              parse_interference(text, "interference " + id, "opbench interference MODEL"));
  Json answer = matrix_answer(report);
  answer["id"] = id;
  return answer;
}

}  // namespace

ViewDef plans_interference_view() {
  return {.name = "plans/interference",
          .parameters = {"id"},
          .list = "unit_list",
          .run = run_plans_interference};
}

}  // namespace opbench
