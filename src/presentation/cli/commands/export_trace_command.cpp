#include <nlohmann/json.hpp>

#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "planning/plans/plan_file.h"
#include "planning/simulator/simulation.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/plan/plan_report.h"

namespace opbench {
namespace {

Result<void> run_export_trace(const Invocation& invocation, Terminal& terminal) {
  const std::string& name = invocation.arguments.positionals().front();
  OPBENCH_TRY(const std::string text, read_text_file(name));
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, name));
  OPBENCH_TRY(const Timeline timeline, simulate(plan.timed, plan.plan));
  return write_text(json_text(trace_json(plan, timeline)) + "\n", invocation.arguments, terminal);
}

}  // namespace

CommandDef export_trace_command() {
  return {.name = "export trace",
          .summary = "Write the simulated timeline of a plan as a Chrome trace",
          .positionals = {{.name = "PLAN",
                           .help = "a file that `opbench plan -o` wrote",
                           .file = FileUse::kRead}},
          .options = {{.name = "--output",
                       .value_name = "FILE",
                       .help = "write there, not to stdout",
                       .short_name = "-o",
                       .file = FileUse::kWritten}},
          .examples = {{"opbench export trace plan.json -o trace.json",
                        "for chrome://tracing or Perfetto"}},
          .run = run_export_trace};
}

}  // namespace opbench
