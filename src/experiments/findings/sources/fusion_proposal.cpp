#include <fmt/format.h>

#include "base/text/counted.h"
#include "experiments/findings/proposal.h"
#include "model/operators/operator.h"

namespace opbench {
namespace {

/// Whether fusion would compute the unit where the one before it stores its result.
bool would_join(const UnitResult& row) {
  if (!row.identity.workload) return false;
  const auto& nodes = row.identity.workload->graph.nodes;
  const OperatorDef* definition = nodes.size() == 1 ? operator_of(nodes.front()) : nullptr;
  return definition != nullptr && definition->fusion == FusionRole::kElementwise;
}

std::vector<Proposal> look_at_fusion(const FindingInput& input) {
  if (input.request.settings.is_fused || !input.run.asked.definition.takes_packages) return {};
  double share = 0;
  int64_t count = 0;
  for (const UnitResult& row : input.engine.units) {
    if (!would_join(row)) continue;
    share += row.share;
    count += row.count;
  }
  if (count == 0) return {};
  Proposal proposal;
  proposal.finding = {
      .finding = "fuse elementwise operators",
      .where = place_of(input),
      .evidence = fmt::format("{} {:.1f} %",
                              counted(count, "elementwise unit takes", "elementwise units take"),
                              100 * share),
      .command = command_with(input.request, "--fusion", "on")};
  // A fused step still loads its further operands and computes.
  constexpr double kPercent = 100, kSaved = 0.9, kUncertain = 0.5;
  expect(proposal.finding, kPercent * kSaved * share, kUncertain);
  proposal.trial = input.request;
  proposal.trial.settings.is_fused = true;
  return {proposal};
}

}  // namespace

ProposalDef fusion_proposal() {
  return {"fusion", "elementwise operators that run as units of their own", look_at_fusion};
}

}  // namespace opbench
