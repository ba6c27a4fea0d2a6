#include <fmt/format.h>

#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// Causes that a config can have, and the default config avoids.
bool is_of_config(const Cause& cause) {
  return cause.name == "spilled registers" || cause.name == "tiles with a large remainder" ||
         cause.name == "uneven threads" || cause.name == "missing threads" ||
         cause.name == "loop not vectorised";
}

/// Kernels that a tuning log chose, and that have a cause which a config can have.
std::vector<Proposal> look_at_chosen_kernels(const FindingInput& input) {
  double gain = 0;
  std::string evidence;
  for (const ExplainedUnit& unit : input.units) {
    if (unit.row->identity.origin.empty()) continue;
    for (const Cause& cause : unit.why.causes) {
      if (!is_of_config(cause)) continue;
      gain += cause.share * unit.row->share;
      if (evidence.empty()) {
        evidence = unit.row->identity.operator_text + ": " + cause.name + ", " + cause.evidence;
      }
      break;
    }
  }
  if (gain <= 0) return {};
  Proposal proposal;
  proposal.finding = {.finding = "go back to default kernels",
                      .where = place_of(input),
                      .evidence = evidence,
                      .command = command_with(input.request, "--tuning-log", "")};
  constexpr double kPercent = 100, kUncertain = 0.5;
  expect(proposal.finding, kPercent * gain, kUncertain);
  proposal.trial = input.request;
  proposal.trial.settings.kernels.clear();
  proposal.trial.settings.candidates.clear();
  proposal.trial.settings.tuning.clear();
  return {proposal};
}

}  // namespace

ProposalDef default_kernel_proposal() {
  return {"default kernels", "kernels of a log that have a cause which the default avoids",
          look_at_chosen_kernels};
}

}  // namespace opbench
