#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"
#include "prediction/why/explanation.h"
#include "presentation/cli/command.h"

namespace opbench {

/// --findings and --try.
std::vector<OptionDef> findings_options();

/// What they say.
struct FindingsPlan {
  bool finds = false;  ///< what could make it faster
  bool tries = false;  ///< what was found
};

/// `kInvalidInput`: --try without --findings, --findings with CSV, which has rows alone.
Result<FindingsPlan> findings_plan(const Arguments& arguments, const std::string& format);

/// Profiles with findings, tries them if the plan says so, and adds why the rows take their time.
/// Errors as run_profile; a finding that cannot be tried says so and is no error.
Result<ProfileResult> run_with_findings(const ProfileRequest& request, const FindingsPlan& plan,
                                        WhyReport& why);

}  // namespace opbench
