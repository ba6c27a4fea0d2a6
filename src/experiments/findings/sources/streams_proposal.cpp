#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engines/catalog/engine_choice.h"
#include "experiments/findings/proposal.h"

namespace opbench {
namespace {

/// When all units have ended if two workers take them in the order of the run, each as soon as its
/// operands are there; 0: some times are not known.
double makespan(const EngineRun& run, const std::map<std::string, double>& time_of_node) {
  std::map<std::string, double> made;  // value: when
  double free_at[2] = {0, 0};
  for (const PreparedUnit& unit : run.built.units) {
    double ms = 0;
    if (!unit.identity.nodes.empty()) {
      const auto known = time_of_node.find(unit.identity.nodes.front());
      if (known == time_of_node.end()) return 0;
      ms = known->second;
    }
    double ready = 0;
    for (const std::string& operand : unit.values.operands) {
      const auto when = made.find(operand);
      if (when != made.end()) ready = std::max(ready, when->second);
    }
    double& worker = free_at[free_at[0] <= free_at[1] ? 0 : 1];
    worker = std::max(worker, ready) + ms;
    // A change of layout is a value of the same name.
    made[unit.values.output] = std::max(made[unit.values.output], worker);
    for (const std::string& output : unit.values.further_outputs) made[output] = worker;
  }
  return std::max(free_at[0], free_at[1]);
}

std::map<std::string, double> times_of_nodes(const EngineResult& engine) {
  std::map<std::string, double> times;
  for (const UnitResult& row : engine.units) {
    for (const UnitOccurrence& one : row.occurrences) {
      if (!one.nodes.empty() && one.in_place_ms) times[one.nodes.front()] = *one.in_place_ms;
    }
  }
  return times;
}

std::vector<Proposal> look_at_streams(const FindingInput& input) {
  const bool is_free = input.engine.threads == 1 && input.cpus > 1 &&
                       input.run.asked.definition.takes_packages &&
                       input.request.threads.size() == 1 && input.request.settings.cpus.empty() &&
                       input.result.workload.empty() && !has_streams(input.request.settings);
  if (!is_free) return {};
  double sum = 0;
  const std::map<std::string, double> times = times_of_nodes(input.engine);
  for (const auto& [node, ms] : times) sum += ms;
  const double span = makespan(input.run, times);
  constexpr double kNotable = 0.97;
  if (span <= 0 || sum <= 0 || span > kNotable * sum) return {};
  Proposal proposal;
  proposal.finding = {
      .finding = "run branches side by side",
      .where = place_of(input),
      .evidence =
          fmt::format("two workers, a unit each, need {:.3g} ms for units of {:.3g} ms", span, sum),
      .command = command_with(input.request, "--threads", "2") + " --parallel stream"};
  // Units side by side share memory and caches.
  constexpr double kPercent = 100, kKept = 0.8, kUncertain = 0.45;
  expect(proposal.finding, kPercent * kKept * (sum - span) / sum, kUncertain);
  proposal.trial = input.request;
  proposal.trial.threads = {2};
  proposal.trial.settings.parallel = "stream";
  proposal.trial.settings.executor = planned_executor();
  proposal.trial.measure.measures_units = false;
  return {proposal};
}

}  // namespace

ProposalDef streams_proposal() {
  return {"streams", "branches of the model that may run at the same time", look_at_streams};
}

}  // namespace opbench
