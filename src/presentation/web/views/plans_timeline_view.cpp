#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/text/shell_word.h"
#include "presentation/web/plans/plan_pages.h"
#include "presentation/web/view.h"
#include "records/store/kept_reports.h"

namespace opbench {
namespace {

/// What runs the plan here; null in an export, which other machines read.
Json run_command(const ViewContext& context, const PlanFile& plan, const KeptReport& report) {
  if (!context.exported_at.empty()) return nullptr;
  const std::string model = plan.source.empty() || plan.source == "zoo" ? plan.model : plan.source;
  return fmt::format("opbench profile {} --plan {}", shell_word(model),
                     shell_word(report.path.string()));
}

Result<Json> run_plans_timeline(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string id, request.needed("id"));
  OPBENCH_TRY(const KeptReport report, kept_report(context.store.folder(), kPlanReports, id));
  OPBENCH_TRY(const std::string text, read_file(report.path));
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, "plan " + id));
  OPBENCH_TRY(Json answer, timeline_answer(plan));
  answer["id"] = id;
  answer["command"] = run_command(context, plan, report);
  return answer;
}

}  // namespace

ViewDef plans_timeline_view() {
  return {
      .name = "plans/timeline", .parameters = {"id"}, .list = "spans", .run = run_plans_timeline};
}

}  // namespace opbench
