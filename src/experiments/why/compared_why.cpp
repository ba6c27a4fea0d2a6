#include "experiments/why/compared_why.h"

#include <algorithm>

#include "machine/facts/hardware_counters.h"

namespace opbench {
namespace {

double difference_of(const UnitWhy& unit) {
  double least = unit.sides.front().split.time_ms, most = least;
  for (const Explanation& side : unit.sides) {
    least = std::min(least, side.split.time_ms);
    most = std::max(most, side.split.time_ms);
  }
  return (most - least) * static_cast<double>(unit.count);
}

void add_remark(const std::string& remark, std::vector<std::string>& remarks) {
  if (!remark.empty() && std::ranges::count(remarks, remark) == 0) remarks.push_back(remark);
}

/// The label of a side, with its part in the pair where both have the same label.
std::string side_name(const CompareResult& result, const Comparison& pair, size_t side) {
  const std::string& label = result.sides[side].label;
  if (result.sides[pair.base].label != result.sides[pair.candidate].label) return label;
  return (side == pair.base ? "base (" : "new (") + label + ")";
}

}  // namespace

Result<void> ComparedWhy::look(Session& session, const std::vector<size_t>& sides) {
  for (size_t i = 0; i < session.engine_runs().size() && i < sides.size(); ++i) {
    const EngineResult& result = session.engine_runs()[i].found.result;
    if (!result.device.empty() || !result.emulator.empty()) {
      (result.device.empty() ? emulated_ : on_devices_).insert(sides[i]);
      continue;
    }
    OPBENCH_TRY(facts_[sides[i]], facts_of_run(session, i, result));
  }
  return {};
}

void ComparedWhy::add(const Comparison& pair, const CompareResult& result,
                      WhyReport& report) const {
  for (const CompareUnit& compared : pair.units) {
    UnitWhy unit{.identity = compared.identity, .count = compared.count, .sides = {}};
    for (const auto& [side, time] :
         {std::pair{pair.base, &compared.base}, std::pair{pair.candidate, &compared.candidate}}) {
      const auto facts = facts_.find(side);
      if (facts == facts_.end() || !*time) continue;
      if (const TimeClock clock = (*time)->clock; clock != TimeClock::kWall) {
        add_remark(result.sides[side].label + " has " + std::string(name_of(clock)) +
                       " times: those of the CPU's clock alone are explained",
                   report.remarks);
        continue;
      }
      const UnitFacts* known = facts->second.find(compared.identity);
      if (known == nullptr) continue;
      Explanation explanation =
          explain(facts->second, *known, unit_time_of(**time, known->evidence.threads));
      explanation.side = side_name(result, pair, side);
      add_remark(facts->second.remark, report.remarks);
      unit.sides.push_back(std::move(explanation));
    }
    if (!unit.sides.empty()) report.units.push_back(std::move(unit));
  }
}

WhyReport ComparedWhy::report(const CompareResult& result) const {
  WhyReport report;
  report.no_counters =
      no_counters().value_or("a comparison reads none; `opbench profile MODEL --findings` does");
  for (size_t side = 0; side < result.sides.size(); ++side) {
    if (facts_.contains(side)) continue;
    report.remarks.push_back(
        result.sides[side].label +
        (on_devices_.contains(side) ? " runs on a device: times on CPUs alone are explained"
         : emulated_.contains(side)
             ? " runs in an emulator: its times say nothing of the target"
             : " was prepared by another build of OpBench: its times are not split"));
  }
  for (const Comparison& pair : result.comparisons) add(pair, result, report);
  std::ranges::stable_sort(report.units, [](const UnitWhy& a, const UnitWhy& b) {
    return difference_of(a) > difference_of(b);
  });
  return report;
}

}  // namespace opbench
