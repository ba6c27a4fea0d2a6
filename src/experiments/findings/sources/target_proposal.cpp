#include "base/text/counted.h"
#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// Kernels whose target has narrower vectors than the machine: how much of the time the rule about
/// them says.
std::vector<Proposal> look_at_target(const FindingInput& input) {
  if (input.request.settings.target == "host") return {};
  double gain = 0;
  int rows = 0;
  std::string evidence;
  for (const ExplainedUnit& unit : input.units) {
    for (const Cause& cause : unit.why.causes) {
      if (cause.name != "smaller ISA") continue;
      gain += cause.share * unit.row->share;
      ++rows;
      if (evidence.empty()) evidence = cause.evidence;
    }
  }
  if (gain <= 0) return {};
  Proposal proposal;
  proposal.finding = {.finding = "make code for this machine",
                      .where = place_of(input),
                      .evidence = evidence + " in " + counted(rows, "row"),
                      .command = command_with(input.request, "--target", "host")};
  constexpr double kPercent = 100, kUncertain = 0.45;
  expect(proposal.finding, kPercent * gain, kUncertain);
  proposal.trial = input.request;
  proposal.trial.settings.target = "host";
  return {proposal};
}

}  // namespace

ProposalDef target_proposal() {
  return {"target", "code for a smaller machine than this one", look_at_target};
}

}  // namespace opbench
