#include "base/text/counted.h"
#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// The stored kernel of a row that is faster than the row's; null: none.
const StoredKernel* faster_kernel(const ExplainedUnit& unit,
                                  const std::vector<StoredKernel>& kernels) {
  constexpr double kNotable = 0.97;
  const UnitIdentity& identity = unit.row->identity;
  if (!identity.workload || !unit.row->time) return nullptr;
  const std::string workload = text_of(*identity.workload);
  const StoredKernel* best = nullptr;
  for (const StoredKernel& kernel : kernels) {
    const bool is_of_unit =
        kernel.choice.is_of_anchor
            ? kernel.choice.workload == anchor_text(*identity.workload)
            : kernel.choice.workload == workload && kernel.choice.blocks == identity.blocks;
    const bool is_faster = kernel.mean_ms < kNotable * unit.row->time->median_ms;
    if (is_of_unit && is_faster && (best == nullptr || kernel.mean_ms < best->mean_ms)) {
      best = &kernel;
    }
  }
  return best;
}

std::vector<Proposal> look_at_stored_kernels(const FindingInput& input) {
  double gain = 0;
  int units = 0;
  Proposal proposal;
  proposal.trial = input.request;
  for (const ExplainedUnit& unit : input.units) {
    const StoredKernel* kernel = faster_kernel(unit, input.stored_kernels);
    if (kernel == nullptr) continue;
    gain += unit.row->share * (1 - kernel->mean_ms / unit.row->time->median_ms);
    KernelChoice& choice = proposal.trial.settings.kernels.emplace_back(kernel->choice);
    choice.threads = input.engine.threads;  // so that it counts before a choice of the request
    ++units;
  }
  if (units == 0) return {};
  proposal.finding = {.finding = "take tuned kernels from the store",
                      .where = place_of(input),
                      .evidence = counted(units, "row has", "rows have") +
                                  " a config in the store that was faster there",
                      .command = "opbench records best --format log -o best.log && " +
                                 command_with(input.request, "--tuning-log", "best.log")};
  constexpr double kPercent = 100, kUncertain = 0.4;
  expect(proposal.finding, kPercent * gain, kUncertain);
  return {proposal};
}

}  // namespace

ProposalDef stored_kernel_proposal() {
  return {"stored kernels", "configs of the store that are faster than those in use",
          look_at_stored_kernels};
}

}  // namespace opbench
