#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/counted.h"
#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// The only unit of a workload that is no change of layout; null: there are several.
const UnitResult* only_unit(const EngineResult& engine) {
  const UnitResult* only = nullptr;
  for (const UnitResult& row : engine.units) {
    if (row.identity.is_layout_change()) continue;
    if (only != nullptr || row.count > 1) return nullptr;
    only = &row;
  }
  return only;
}

/// A workload may be given its tensors in the kernel's own layouts.
std::vector<Proposal> look_at_layouts(const FindingInput& input) {
  double share = 0;
  int64_t count = 0;
  for (const UnitResult& row : input.engine.units) {
    if (!row.identity.is_layout_change()) continue;
    share += row.share;
    count += row.count;
  }
  const UnitResult* only = only_unit(input.engine);
  if (count == 0 || only == nullptr || input.result.workload.empty()) return {};
  Proposal proposal;
  const std::vector<int> layouts = layouts_of(only->identity);
  proposal.finding = {
      .finding = "hand tensors over in the kernel's layout",
      .where = place_of(input),
      .evidence = fmt::format("{} {:.1f} %",
                              counted(count, "change of layout takes", "changes of layout take"),
                              100 * share),
      .command =
          command_with(input.request, "--layouts", fmt::format("{}", fmt::join(layouts, ",")))};
  constexpr double kPercent = 100, kUncertain = 0.3;
  expect(proposal.finding, kPercent * share, kUncertain);
  proposal.trial = input.request;
  proposal.trial.model.layouts = layouts;
  return {proposal};
}

}  // namespace

ProposalDef layouts_proposal() {
  return {"layouts", "changes of layout around a single workload", look_at_layouts};
}

}  // namespace opbench
