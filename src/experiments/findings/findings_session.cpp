#include "experiments/findings/findings_session.h"

#include <algorithm>

#include "experiments/compare/compare_request.h"
#include "experiments/findings/stored_results.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/session.h"
#include "experiments/why/counted_call.h"
#include "machine/ceilings/transfer_pace.h"
#include "machine/facts/hardware_counters.h"
#include "machine/resources/pinning.h"
#include "measuring/results/unit_totals.h"

namespace opbench {
namespace {

/// The shortest total that explains nine tenths of the time.
constexpr double kExplainedShare = 0.9;
constexpr size_t kMostExplained = 5;

RowTime time_of_row(const UnitResult& row, int threads) {
  if (row.in_place_ms) return {.ms = *row.in_place_ms, .is_in_model = true};
  return row.time ? unit_time_of(*row.time, threads) : RowTime{};
}

/// The rows of an engine, each with why it takes its time.
std::vector<ExplainedUnit> explained_units(const EngineResult& engine, const RunFacts& facts) {
  std::vector<ExplainedUnit> units;
  for (const UnitResult& row : engine.units) {
    ExplainedUnit unit{.row = &row, .facts = facts.find(row.identity), .why = {}};
    const RowTime time = time_of_row(row, engine.threads);
    if (unit.facts != nullptr && time.ms > 0) unit.why = explain(facts, *unit.facts, time);
    unit.why.side = engine.engine;
    units.push_back(std::move(unit));
  }
  return units;
}

/// Hardware counters of the row's calls, where the machine has them.
std::map<std::string, double> counts_of(Session& session, const UnitResult& row) {
  const EngineRun& run = session.engine_runs().front();
  for (const UnitGroup& group : run.built.groups) {
    const UnitIdentity& identity = run.built.units[group.members.front()].identity;
    const bool is_row = !identity.nodes.empty() &&
                        std::ranges::count(row.identity.nodes, identity.nodes.front()) > 0;
    if (is_row) return counted_call(session, 0, group, core_events());
  }
  return {};
}

WhyReport why_of_rows(Session& session, const std::vector<ExplainedUnit>& units,
                      const RunFacts& facts) {
  WhyReport report;
  report.no_counters = no_counters().value_or("");
  if (!facts.remark.empty()) report.remarks.push_back(facts.remark);
  double share = 0;
  for (const ExplainedUnit& unit : units) {
    if (share > kExplainedShare || report.units.size() >= kMostExplained) break;
    if (unit.why.split.time_ms <= 0) continue;
    share += unit.row->share;
    report.units.push_back(
        {.identity = unit.row->identity, .count = unit.row->count, .sides = {unit.why}});
    if (report.no_counters.empty()) {
      report.units.back().sides.front().counts = counts_of(session, *unit.row);
    }
  }
  return report;
}

/// What the store knows goes into the input; what fails becomes a warning.
void look_into_store(const std::filesystem::path& store, const Session& session,
                     FindingInput& input, std::vector<std::string>& warnings) {
  auto times = stored_times(store, input.result, input.engine.threads);
  if (times) {
    input.stored_times = std::move(*times);
  } else {
    warnings.push_back("findings leave times of the store out: " + times.error().message);
  }
  if (!input.run.asked.definition.takes_packages) return;
  auto kernels =
      stored_kernels(store, input.run.asked.options.target, input.engine.threads, session.folder());
  if (kernels) {
    input.stored_kernels = std::move(*kernels);
  } else {
    warnings.push_back("findings leave kernels of the store out: " + kernels.error().message);
  }
}

/// Gains that are too small to be told from nothing are no findings.
bool is_notable(const Proposal& proposal) {
  constexpr double kLeastPercent = 1;
  return proposal.finding.expected_pct() >= kLeastPercent;
}

std::vector<Proposal> proposals_of(const FindingInput& input) {
  std::vector<Proposal> proposals;
  for (const ProposalDef& source : proposal_table().all()) {
    for (Proposal& one : source.look(input)) {
      if (is_notable(one)) proposals.push_back(std::move(one));
    }
  }
  std::ranges::stable_sort(proposals, [](const Proposal& a, const Proposal& b) {
    return a.finding.expected_pct() > b.finding.expected_pct();
  });
  return proposals;
}

/// Measured between the first two CPUs of this process; 0: it has one, or it is not known.
double transfer_ns_per_byte(const std::vector<int>& cpus) {
  if (cpus.size() < 2) return 0;
  return measured_transfer_pace(cpus[0], cpus[1]).ns_per_byte.value_or(0);
}

/// Adds findings to the result, what tries them and the explanations to `found`.
Result<void> find_in(Session& session, const ProfileRequest& request,
                     const std::optional<std::filesystem::path>& store, ProfileResult& result,
                     FoundProfile& found) {
  if (session.engine_runs().empty() || result.engines.empty()) return {};
  const EngineResult& engine = result.engines.front();
  if (const TimeClock clock = clock_of(engine); clock != TimeClock::kWall) {
    result.warnings.push_back("no findings: the times of " + engine.engine + " are " +
                              std::string(name_of(clock)));
    return {};
  }
  if (!engine.device.empty()) {
    result.warnings.push_back("no findings: they explain times on CPUs, and " + engine.engine +
                              " runs on a device");
    return {};
  }
  OPBENCH_TRY(const RunFacts facts, facts_of_run(session, 0, engine));
  FindingInput input{.request = request,
                     .result = result,
                     .run = session.engine_runs().front(),
                     .engine = engine,
                     .units = explained_units(engine, facts)};
  const std::vector<int> cpus = current_affinity();
  input.cpus = static_cast<int>(cpus.size());
  if (engine.threads == 1) input.transfer_ns_per_byte = transfer_ns_per_byte(cpus);
  found.why = why_of_rows(session, input.units, facts);
  if (store && std::filesystem::exists(*store)) {
    look_into_store(*store, session, input, result.warnings);
  }
  found.proposals = proposals_of(input);
  result.findings.emplace();
  for (const Proposal& one : found.proposals) result.findings->push_back(one.finding);
  return {};
}

VariantRequest side_of_trial(const ProfileRequest& request) {
  ProfileRequest one = request;
  one.engines.resize(1);
  one.threads.resize(1);
  return variant_of(std::move(one));
}

}  // namespace

Result<FoundProfile> profile_with_findings(const ProfileRequest& request,
                                           const std::optional<std::filesystem::path>& store) {
  FoundProfile found;
  const ProfileLook look = [&](Session& session, const ProfileRequest& decided,
                               ProfileResult& result) {
    return find_in(session, decided, store, result, found);
  };
  OPBENCH_TRY(found.result, run_profile_and_look(request, look));
  return found;
}

Result<void> try_proposal(const ProfileRequest& request, Proposal& proposal) {
  CompareRequest compared;
  compared.sides = {side_of_trial(request), side_of_trial(proposal.trial)};
  compared.scope.has_units = !request.model.workload.empty();
  compared.scope.has_control = false;
  compared.budget_s = request.measure.budget_s;
  compared.seed = request.model.seed;
  compared.is_forced = true;  // layouts of a workload may differ
  compared.hooks = request.hooks;
  const auto result = run_compare(compared);
  if (!result && result.error().code == ErrorCode::kInterrupted) return result.error();
  if (!result) {
    proposal.finding.not_measured = result.error().message;
    return {};
  }
  if (result->comparisons.empty()) {
    proposal.finding.not_measured = "nothing was compared";
    return {};
  }
  const Comparison& pair = result->comparisons.front();
  const bool is_unit = !pair.model.ratio && pair.units.size() == 1;
  const CompareUnit& unit = is_unit ? pair.units.front() : pair.model;
  if (!unit.ratio) {
    proposal.finding.not_measured = unit.reason.empty() ? "it has no time" : unit.reason;
    return {};
  }
  constexpr double kPercent = 100;
  proposal.finding.measured_gain_pct = kPercent * (1 - unit.ratio->median);
  return {};
}

}  // namespace opbench
