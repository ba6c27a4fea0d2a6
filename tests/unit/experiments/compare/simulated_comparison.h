#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/compare/compare_request.h"
#include "experiments/compare/verdict.h"
#include "measuring/sampling/aa_floor.h"
#include "measuring/sampling/paired.h"
#include "simulated_machine.h"

namespace opbench {

/// What is compared on a simulated machine: units of one model, the same code on both sides but for
/// the slowed unit, and the base a second time as the A/A control.
struct SimulatedComparison {
  size_t units = 25;
  SimulatedNoise noise;
  std::optional<size_t> slowed;   ///< this unit's new side takes longer …
  double slowdown = 0.03;         ///< … by this
  double slowed_extra_noise = 0;  ///< deviation added to that unit's repeats
  PairedOptions options = {.processes = kComparedProcesses,
                           .most_processes = kMostComparedProcesses};
  VerdictRule rule;
};

struct SimulatedVerdicts {
  std::vector<JudgedRatio> units;
  JudgedRatio model;
  double spent_s = 0;
  bool has_false_unit(const std::optional<size_t>& slowed) const {
    for (size_t i = 0; i < units.size(); ++i) {
      const Verdict verdict = units[i].verdict;
      if (i != slowed && (verdict == Verdict::kSlower || verdict == Verdict::kFaster)) return true;
    }
    return false;
  }
};

/// From 20 µs to 1 ms, three sides each; the model last.
inline std::vector<double> simulated_calls(const SimulatedComparison& comparison) {
  std::vector<double> calls;
  double base = 0;
  double candidate = 0;
  for (size_t unit = 0; unit < comparison.units; ++unit) {
    const double place = static_cast<double>(unit) / static_cast<double>(comparison.units - 1);
    const double call = 2e-5 * std::pow(50, place);
    const double changed = unit == comparison.slowed ? call * (1 + comparison.slowdown) : call;
    base += call;
    candidate += changed;
    calls.insert(calls.end(), {call, changed, call});
  }
  calls.insert(calls.end(), {base, candidate, base});
  return calls;
}

inline SimulatedMachine simulated_machine(const SimulatedComparison& comparison, uint64_t seed) {
  SimulatedMachine machine(simulated_calls(comparison), comparison.noise, seed);
  for (size_t side = 0; comparison.slowed && side < 3; ++side) {
    machine.extra_noise[3 * *comparison.slowed + side] = comparison.slowed_extra_noise;
  }
  return machine;
}

/// One comparison: paired rounds, the floor from the A/A control of this run, verdicts.
inline SimulatedVerdicts simulate(const SimulatedComparison& comparison, uint64_t seed) {
  SimulatedMachine machine = simulated_machine(comparison, seed);
  std::vector<PairedItem> items(comparison.units + 1);
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].id = std::to_string(i);
    items[i].sides = {3 * i, 3 * i + 1, 3 * i + 2};
    items[i].threads = {1, 1, 1};
  }
  PairedHooks hooks;
  hooks.is_decided = [&](size_t item, const PairedTimes& times) {
    const size_t together = item < comparison.units ? comparison.units : 1;
    return is_settled({.log_ratio = times.log_ratios[0]}, comparison.rule, together);
  };
  PairedOptions options = comparison.options;
  options.seed = seed;
  const PairedResult result = measure_pairs(items, machine, machine, options, hooks);
  FloorRun run;
  for (size_t i = 0; i < items.size(); ++i) {
    const Estimate& control = result.items[i].times->log_ratios[1];
    run.units.push_back(floor_unit_of({items[i].id, "halide", 1}, control));
  }
  std::vector<Evidence> evidence;
  for (size_t i = 0; i < items.size(); ++i) {
    const PairedTimes& times = *result.items[i].times;
    evidence.push_back({.log_ratio = times.log_ratios[0],
                        .floor = unit_floor(run.units[i].key, run, {}),
                        .spent_s = times.spent.count()});
  }
  SimulatedVerdicts verdicts;
  verdicts.model = judge_one(evidence.back(), comparison.rule);
  evidence.pop_back();
  verdicts.units = judge(evidence, comparison.rule);
  verdicts.spent_s = result.spent.count();
  return verdicts;
}

}  // namespace opbench
