#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"
#include "prediction/why/explanation.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/profile/profile_findings.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// Where a report goes, and in which form.
struct ReportPlan {
  std::string format = "table";
  std::string output;                    ///< empty: stdout
  std::string record;                    ///< empty: none
  std::vector<std::string> argv = {};    ///< the command line, to go on with after Ctrl-C
  std::vector<std::string> models = {};  ///< its words for them, one a request; may be empty
  bool shows_memory = false;             ///< in a table of its own
  FindingsPlan findings = {};
  std::vector<WhyReport> why = {};  ///< by result, where it finds
};

/// From --format, --output and --record. `kInvalidInput`: an unknown format, a place that cannot be
/// written.
Result<ReportPlan> report_plan(const Arguments& arguments);

/// Measures one request after the other, then writes the report and the records. `kPartial` when
/// units failed, the check did not pass, or some of several models could not be measured;
/// `kInterrupted` after Ctrl-C; in these cases the report has been written.
Result<void> run_and_report(std::vector<ProfileRequest> requests, const ReportPlan& plan,
                            Terminal& terminal);

/// The reports in the plan's format: of several as JSON a list, as CSV one table.
std::string report_text(const std::vector<ProfileResult>& results, const ReportPlan& plan,
                        const Terminal& terminal);

/// Nothing when all is well; else what failed, each with its reason.
Result<void> verdict_of(const ProfileResult& result);

}  // namespace opbench
