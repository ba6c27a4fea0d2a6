#include "benchmarks/verdicts/simulated_verdicts.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "benchmarks/verdicts/verdict_trials.h"
#include "measuring/results/statistics.h"
#include "simulated_comparison.h"

namespace opbench {
namespace {

constexpr size_t kSlowed = 12;
constexpr int kSequentialRepeats = 12;  ///< a process: as many as the six rounds of the pairs

/// A kind of machine and what is changed on it.
struct Setting {
  std::string name;
  SimulatedComparison comparison;
  NoiseClass noise_class = NoiseClass::kQuiet;  ///< as the sequential runs see the machine
};

SimulatedNoise quiet_noise() {
  return {.white = 0.005, .process_bias = 0.001, .wander = 0.002, .wander_s = 2};
}

SimulatedNoise bursty_noise(bool are_seen) {
  SimulatedNoise noise = quiet_noise();
  noise.bursts_per_s = 2;
  noise.burst_s = 0.1;
  noise.burst_factor = are_seen ? 2 : 1.3;
  noise.bursts_are_seen = are_seen;
  return noise;
}

Setting setting_of(std::string name, const SimulatedNoise& noise, NoiseClass noise_class) {
  return {std::move(name), {.noise = noise}, noise_class};
}

CompareUnit simulated_verdicts_unit_of(size_t index, const JudgedRatio& judgement) {
  CompareUnit unit;
  unit.identity.texts.workload = std::to_string(index);
  unit.ratio = judgement.ratio;
  unit.verdict = judgement.verdict;
  unit.reason = judgement.reason;
  return unit;
}

VerdictTrial paired_trial(const SimulatedComparison& comparison, uint64_t seed) {
  const SimulatedVerdicts verdicts = simulate(comparison, seed);
  VerdictTrial trial;
  for (size_t i = 0; i < verdicts.units.size(); ++i) {
    trial.units.push_back(simulated_verdicts_unit_of(i, verdicts.units[i]));
  }
  trial.model = simulated_verdicts_unit_of(verdicts.units.size(), verdicts.model);
  trial.spent_s = verdicts.spent_s;
  return trial;
}

/// What is usual: all of the base in its processes, then all of the new side.
VerdictTrial simulated_verdicts_sequential_trial(const Setting& setting, double margin,
                                                 uint64_t seed) {
  const SimulatedComparison& comparison = setting.comparison;
  const std::vector<double> calls = simulated_calls(comparison);
  SimulatedMachine machine = simulated_machine(comparison, seed);
  const Seconds repeat = shortest_repeat({.noise = setting.noise_class});
  const Seconds begin = machine.now();
  std::vector<std::vector<double>> times(calls.size());
  for (size_t side = 0; side < 2; ++side) {
    for (int process = 0; process < comparison.options.processes; ++process) {
      for (size_t item = side; item < calls.size(); item += 3) {
        const int64_t number = calls_per_repeat(calls[item - side], repeat);
        const auto samples =
            machine.measure(item, process, number, kSequentialRepeats, Seconds(0.03), 3);
        for (const Sample& sample : *samples) times[item].push_back(sample.wall_s);
      }
    }
  }
  VerdictTrial trial;
  for (size_t i = 0; i <= comparison.units; ++i) {
    const CompareUnit unit =
        simulated_verdicts_unit_of(i, welch_test(times[3 * i], times[3 * i + 1], margin));
    if (i < comparison.units) {
      trial.units.push_back(unit);
    } else {
      trial.model = unit;
    }
  }
  trial.spent_s = (machine.now() - begin).count();
  return trial;
}

/// Counts the paired comparisons, and notes them and the sequential ones.
Result<VerdictCounts> run_setting(const Setting& setting, int64_t trials, const Report& report) {
  const SimulatedComparison& comparison = setting.comparison;
  const std::string changed = comparison.slowed ? std::to_string(*comparison.slowed) : "";
  const auto counted = [&](const auto& make) {
    const VerdictTrialMaker maker = [&](uint64_t seed) { return std::vector{make(seed)}; };
    return count_verdicts(maker, trials, 1, changed);
  };
  Report::progress(fmt::format("{}: {} comparisons", setting.name, trials));
  report.note(setting.name);
  OPBENCH_TRY(VerdictCounts paired,
              counted([&](uint64_t seed) { return paired_trial(comparison, seed); }));
  report.note("  paired, as `compare`: " + text_of(paired, comparison.slowed.has_value()));
  for (const double margin : {0.0, comparison.rule.margin}) {
    OPBENCH_TRY(const VerdictCounts welch, counted([&](uint64_t seed) {
                  return simulated_verdicts_sequential_trial(setting, margin, seed);
                }));
    const std::string rule = margin > 0 ? "Welch's test and more than 2 %" : "Welch's test";
    report.note(fmt::format("  one after the other, {}: {}", rule,
                            text_of(welch, comparison.slowed.has_value())));
  }
  return paired;
}

}  // namespace

Result<void> add_simulated_verdicts(int64_t trials, Report& report) {
  const auto quiet = setting_of("quiet, the same code", quiet_noise(), NoiseClass::kQuiet);
  OPBENCH_TRY(const VerdictCounts alike, run_setting(quiet, trials, report));
  int64_t bursty_false = 0;
  for (const bool are_seen : {true, false}) {
    const std::string name = are_seen ? "bursts that preempt, the same code"
                                      : "bursts that only slow down, the same code";
    const auto bursty = setting_of(name, bursty_noise(are_seen), NoiseClass::kShared);
    OPBENCH_TRY(const VerdictCounts counts, run_setting(bursty, trials, report));
    bursty_false = std::max(bursty_false, counts.with_false_unit);
  }
  Setting slow = setting_of("quiet, a unit 3 % slower", quiet_noise(), NoiseClass::kQuiet);
  slow.comparison.slowed = kSlowed;
  OPBENCH_TRY(const VerdictCounts found, run_setting(slow, trials, report));
  Setting hidden = slow;
  hidden.name = "quiet, a unit 3 % slower whose own noise is 30 %";
  hidden.comparison.slowed_extra_noise = 0.3;
  OPBENCH_TRY(const VerdictCounts own, run_setting(hidden, trials, report));
  report.add({"simulated: quiet A/A comparisons with a false verdict on a unit, share",
              share_of(alike.with_false_unit, trials), 0.02});
  report.add({"simulated: bursty A/A comparisons with a false verdict on a unit, share",
              share_of(bursty_false, trials), 0.05});
  report.add({"simulated: units inconclusive when quiet, share",
              share_of(alike.inconclusive, alike.units), 0.20});
  report.add({"simulated: slowdowns of 3 % not found at 0.5 % noise, share",
              share_of(trials - found.found, trials), 0.10});
  report.add({"simulated: slowdowns called same that noise hides, share",
              share_of(own.changed_same, trials), 0});
  return {};
}

}  // namespace opbench
