#pragma once

#include <string>

#include "opbench/analysis/profile_request.h"
#include "opbench/cli/arguments.h"
#include "opbench/cli/terminal.h"
#include "opbench/measure/profile_result.h"

namespace opbench {

/// Where a report goes, and in which form.
struct ReportPlan {
  std::string format = "table";
  std::string output;  ///< empty: stdout
  std::string record;  ///< empty: none
};

/// From --format, --output and --record. `kInvalidInput`: an unknown format, a place that cannot be
/// written.
Result<ReportPlan> report_plan(const Arguments& arguments);

/// Measures, then writes the report and the records. `kPartial` when units failed or the check did
/// not pass, `kInterrupted` after Ctrl-C; in both cases the report has been written.
Result<void> run_and_report(ProfileRequest request, const ReportPlan& plan, Terminal& terminal);

/// The report in the plan's format.
std::string report_text(const ProfileResult& result, const ReportPlan& plan,
                        const Terminal& terminal);

/// Nothing when all is well; else what failed, each with its reason.
Result<void> verdict_of(const ProfileResult& result);

}  // namespace opbench
