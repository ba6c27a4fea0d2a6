#include <fmt/format.h>

#include <algorithm>

#include "base/system/seconds.h"
#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// Milliseconds to read what other threads wrote: of the values that a unit reads and writes,
/// weights left aside, each thread finds its own part in its own cache.
double exchanged_ms(const UnitEvidence& unit, int threads, double ns_per_byte) {
  const double weights = unit.kernel ? unit.kernel->work.weight_bytes : 0;
  const double values = std::max(unit.bytes - weights, 0.0);
  return ns_to_ms(values * (1 - 1.0 / threads) * ns_per_byte);
}

/// What a unit's time becomes with so many threads instead of one: by the bandwidth of memory where
/// that bounds it, else by the peaks; then what threads read of each other.
double shrunk(const ExplainedUnit& unit, int threads, double ns_per_byte) {
  constexpr double kForkMs = 0.003;  // handing tasks over and waiting for the last
  const UnitResult& row = *unit.row;
  const double ms = row.total_ms / static_cast<double>(std::max<int64_t>(row.count, 1));
  if (unit.facts == nullptr || unit.facts->evidence.runs_reference) return ms;
  const Ceilings& ceilings = unit.facts->evidence.ceilings;
  const double memory = unit.why.split.share_of("DRAM");
  const auto& bandwidth = ceilings.bandwidth;
  const double memory_gain =
      bandwidth.empty() || bandwidth.back().one_thread <= 0
          ? 1
          : std::max(bandwidth.back().all_threads / bandwidth.back().one_thread, 1.0);
  const double added = kForkMs + exchanged_ms(unit.facts->evidence, threads, ns_per_byte);
  return std::min(ms, ms * (memory / memory_gain + (1 - memory) / threads) + added);
}

std::vector<Proposal> look_at_threads(const FindingInput& input) {
  const bool is_free = input.engine.threads == 1 && input.cpus > 1 &&
                       input.request.settings.cpus.empty() && input.request.threads.size() == 1;
  const bool is_known = is_free && input.run.asked.definition.takes_packages;
  if (!is_known || input.model_ms() <= 0) return {};
  double before = 0, after = 0;
  for (const ExplainedUnit& unit : input.units) {
    before += unit.row->total_ms;
    after +=
        shrunk(unit, input.cpus, input.transfer_ns_per_byte) * static_cast<double>(unit.row->count);
  }
  if (before <= 0 || after >= before) return {};
  Proposal proposal;
  proposal.finding = {
      .finding = fmt::format("run on {} threads", input.cpus),
      .where = place_of(input),
      .evidence = fmt::format("{} CPUs, one of them used; units take {:.3g} ms on one thread",
                              input.cpus, before),
      .command = command_with(input.request, "--threads", std::to_string(input.cpus))};
  constexpr double kPercent = 100, kUncertain = 0.35;
  expect(proposal.finding, kPercent * (before - after) / before, kUncertain);
  proposal.trial = input.request;
  proposal.trial.threads = {input.cpus};
  return {proposal};
}

}  // namespace

ProposalDef threads_proposal() { return {"threads", "CPUs that are not used", look_at_threads}; }

}  // namespace opbench
