#include "presentation/cli/profile/profile_findings.h"

#include <utility>

#include "experiments/findings/findings_session.h"
#include "experiments/plan/plan_choice.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

/// The plan of a trial that runs units side by side; nothing for others.
Result<void> find_streams(ProfileRequest& trial) {
  if (!has_streams(trial.settings)) return {};
  OPBENCH_TRY(const KeptPlan kept, kept_plan(trial, default_store_folder().value_or("")));
  trial.settings.plan.file = kept.file.string();
  trial.settings.plan.sha256 = kept.sha256;
  return {};
}

}  // namespace

std::vector<OptionDef> findings_options() {
  return {{.name = "--findings",
           .value_name = "",
           .help = "first say what to do to make it faster, what that should gain, and where the "
                   "time goes",
           .kind = OptionKind::kSwitch},
          {.name = "--try",
           .value_name = "",
           .help = "with --findings: try each, and print the measured gain beside the expected one",
           .kind = OptionKind::kSwitch}};
}

Result<FindingsPlan> findings_plan(const Arguments& arguments, const std::string& format) {
  FindingsPlan plan;
  OPBENCH_TRY(plan.finds, arguments.is_on("--findings"));
  OPBENCH_TRY(plan.tries, arguments.is_on("--try"));
  if (plan.tries && !plan.finds) {
    return Error{ErrorCode::kInvalidInput, "--try needs --findings, whose commands it tries"};
  }
  if (plan.finds && format == "csv") {
    return Error{ErrorCode::kInvalidInput, "--findings does not go with --format csv"}.with(
        "valid", "table, json, md");
  }
  return plan;
}

Result<ProfileResult> run_with_findings(const ProfileRequest& request, const FindingsPlan& plan,
                                        WhyReport& why) {
  OPBENCH_TRY(FoundProfile found, profile_with_findings(request, default_store_folder()));
  why = std::move(found.why);
  if (!plan.tries) return std::move(found.result);
  for (size_t i = 0; i < found.proposals.size() && !request.hooks.is_cancelled(); ++i) {
    Proposal& proposal = found.proposals[i];
    const auto planned = find_streams(proposal.trial);
    if (!planned) {
      proposal.finding.not_measured = planned.error().message;
    } else {
      const auto tried = try_proposal(request, proposal);
      if (!tried) break;
    }
    (*found.result.findings)[i] = proposal.finding;
  }
  return std::move(found.result);
}

}  // namespace opbench
