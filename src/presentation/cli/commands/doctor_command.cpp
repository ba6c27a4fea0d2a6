#include <ostream>

#include "base/errors/suggestion.h"
#include "presentation/cli/command.h"
#include "presentation/cli/doctor/doctor_checks.h"
#include "presentation/cli/output/table_output.h"

namespace opbench {
namespace {

constexpr const char* kDoctorSchema = "opbench.doctor/1";

std::string state_text(CheckState state) {
  switch (state) {
    case CheckState::kGood:
      return "ok";
    case CheckState::kDoubtful:
      return "doubtful";
    case CheckState::kMissing:
      return "MISSING";
  }
  return "";
}

Result<void> run_doctor(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_CHECK(check_table_options(invocation.arguments));
  std::vector<DoctorFinding> findings;
  for (const auto& check : {check_tools, check_places, check_engines, check_machine}) {
    for (DoctorFinding& finding : check()) findings.push_back(std::move(finding));
  }
  TextTable table{
      .columns = {
          {.header = "check"}, {.header = "state"}, {.header = "finding"}, {.header = "remedy"}}};
  std::vector<std::string> missing;
  for (const DoctorFinding& finding : findings) {
    table.rows.push_back(
        {{finding.check, state_text(finding.state), finding.finding, finding.remedy}});
    if (finding.state == CheckState::kMissing) missing.push_back(finding.check);
  }
  OPBENCH_CHECK(write_table(table, kDoctorSchema, "checks", invocation.arguments, terminal));
  if (missing.empty()) return {};
  return Error{ErrorCode::kEnvironment, "something that OpBench needs is missing"}.with(
      "missing", join(missing));
}

}  // namespace

CommandDef doctor_command() {
  return {.name = "doctor",
          .summary = "Check that all that is needed is there, and how steady this machine is",
          .options = table_options(),
          .examples = {{"opbench doctor", "each finding with its remedy"}},
          .help_rank = 8,
          .run = run_doctor};
}

}  // namespace opbench
