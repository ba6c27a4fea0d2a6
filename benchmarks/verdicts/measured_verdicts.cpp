#include "benchmarks/verdicts/measured_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/numbers/divisors.h"
#include "benchmarks/verdicts/bursty_load.h"
#include "benchmarks/verdicts/exchanged_sides.h"
#include "benchmarks/verdicts/verdict_trials.h"
#include "experiments/compare/compare_judge.h"
#include "experiments/compare/compare_request.h"
#include "experiments/profile/profile_session.h"

namespace opbench {
namespace {

constexpr double kMargin = 0.02;
constexpr int64_t kPairsForOneSequence = 10;  // what is printed beside takes a tenth of the time
constexpr uint64_t kMostExchanges = 1000;     // so that no two comparisons share a seed for them

ProfileRequest profile_request(const MeasuredVerdicts& settings, const std::string& fault) {
  ProfileRequest request;
  request.model.name = settings.model;
  request.model.is_zoo = true;
  request.engines = {settings.engine};
  request.threads = {settings.threads};
  request.measure.check_engine = "none";
  if (!fault.empty()) request.measure.inject_fault = settings.unit + "=" + fault;
  return request;
}

/// The verdicts on a comparison with equal sides exchanged.
VerdictTrial exchanged_trial(const JudgeInputs& measured, bool is_same_code, uint64_t seed) {
  const PairedResult times = exchange_sides(measured.plan, measured.times, is_same_code, seed);
  const FloorRun control = control_of(measured.sides, measured.plan, times,
                                      measured.control.timestamp, measured.control.noise_class);
  const JudgeInputs inputs{measured.sides, measured.plan, times,
                           control,        measured.kept, measured.margin};
  const Comparison comparison = compare_with_base(1, inputs);
  return {comparison.units, comparison.model};
}

/// The first as measured, then the exchanges.
Result<std::vector<VerdictTrial>> paired_trials(const MeasuredVerdicts& settings,
                                                const std::string& fault, uint64_t seed) {
  CompareRequest request;
  request.sides = {variant_of(profile_request(settings, "")),
                   variant_of(profile_request(settings, fault))};
  request.margin = kMargin;
  request.budget_s = settings.budget_s;
  request.seed = seed;
  std::vector<VerdictTrial> trials(1);
  request.measured = [&](const JudgeInputs& measured) {
    for (int64_t i = 1; i <= settings.exchanges; ++i) {
      const uint64_t order = seed * kMostExchanges + static_cast<uint64_t>(i);
      trials.push_back(exchanged_trial(measured, fault.empty(), order));
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  OPBENCH_TRY(const CompareResult result, run_compare(request));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  const Comparison& comparison = result.comparisons.front();
  trials.front() = {comparison.units, comparison.model, spent.count()};
  return trials;
}

std::vector<double> measured_verdicts_times_of(const Measurement& measurement) {
  std::vector<double> times;
  for (const Sample& sample : measurement.samples) {
    if (sample.flag != "warm_up") times.push_back(sample.wall_s);
  }
  return times;
}

/// What is usual: one profile after the other.
Result<VerdictTrial> measured_verdicts_sequential_trial(const MeasuredVerdicts& settings,
                                                        const std::string& fault, double margin) {
  const auto begin = std::chrono::steady_clock::now();
  OPBENCH_TRY(const ProfileResult base, run_profile(profile_request(settings, "")));
  OPBENCH_TRY(const ProfileResult changed, run_profile(profile_request(settings, fault)));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  VerdictTrial trial{.spent_s = spent.count()};
  const std::vector<UnitResult>& others = changed.engines.front().units;
  for (const UnitResult& unit : base.engines.front().units) {
    const auto other = std::ranges::find_if(
        others, [&](const UnitResult& each) { return each.identity.nodes == unit.identity.nodes; });
    if (other == others.end() || !unit.time || !other->time) continue;
    const JudgedRatio test = welch_test(measured_verdicts_times_of(*unit.time),
                                        measured_verdicts_times_of(*other->time), margin);
    trial.units.push_back(
        {.identity = unit.identity, .ratio = test.ratio, .verdict = test.verdict});
  }
  return trial;
}

/// The workload of the unit that a fault makes slow: made much slower, it stands out.
Result<std::string> changed_workload(const MeasuredVerdicts& settings) {
  MeasuredVerdicts brief = settings;
  brief.budget_s = std::min(settings.budget_s, 10.0);
  brief.exchanges = 0;
  OPBENCH_TRY(const std::vector<VerdictTrial> trials, paired_trials(brief, "slow-300", 1));
  const CompareUnit* slowest = nullptr;
  for (const CompareUnit& unit : trials.front().units) {
    const bool is_slower = unit.ratio && (!slowest || unit.ratio->median > slowest->ratio->median);
    if (is_slower) slowest = &unit;
  }
  if (slowest == nullptr || slowest->ratio->median < 2) {
    return Error{ErrorCode::kSystem, "no unit became slower by --inject-fault"};
  }
  return workload_text(slowest->identity);
}

/// One kind of comparison.
struct Kind {
  std::string name;
  std::string fault;
  std::string changed;
  bool is_bursty = false;
};

Result<VerdictCounts> run_kind(const Kind& kind, const MeasuredVerdicts& settings,
                               const Report& report) {
  std::optional<BurstyLoad> load;
  if (kind.is_bursty) load.emplace();
  report.note(fmt::format("{}: {} with {}", kind.name, settings.model, settings.engine));
  const auto first = static_cast<uint64_t>(settings.first);
  const int64_t comparisons = ceil_div(settings.trials, 1 + settings.exchanges);
  const uint64_t last = first + static_cast<uint64_t>(comparisons) - 1;
  const VerdictTrialMaker pairs = [&](uint64_t seed) {
    Report::progress(fmt::format("{}: comparison {} of {}", kind.name, seed, last));
    return paired_trials(settings, kind.fault, seed);
  };
  OPBENCH_TRY(VerdictCounts counts, count_verdicts(pairs, settings.trials, first, kind.changed));
  report.note("  paired, as `compare`: " + text_of(counts, !kind.changed.empty()));
  const int64_t trials = comparisons / kPairsForOneSequence;
  if (trials == 0) return counts;
  for (const double margin : {0.0, kMargin}) {
    const VerdictTrialMaker profiles = [&](uint64_t) -> Result<std::vector<VerdictTrial>> {
      OPBENCH_TRY(VerdictTrial trial,
                  measured_verdicts_sequential_trial(settings, kind.fault, margin));
      return std::vector{std::move(trial)};
    };
    OPBENCH_TRY(const VerdictCounts welch, count_verdicts(profiles, trials, first, kind.changed));
    report.note(fmt::format("  one after the other, Welch's test{}: {}",
                            margin > 0 ? " and more than 2 %" : "",
                            text_of(welch, !kind.changed.empty())));
  }
  return counts;
}

void add_measured_verdicts_bars(const Kind& kind, const VerdictCounts& counts, Report& report) {
  if (kind.changed.empty()) {
    report.add({fmt::format("measured: {} A/A comparisons with a false verdict on a unit, share",
                            kind.name),
                share_of(counts.with_false_unit, counts.trials), kind.is_bursty ? 0.05 : 0.02});
  }
  if (kind.changed.empty() && !kind.is_bursty) {
    report.add({"measured: units inconclusive when quiet, share",
                share_of(counts.inconclusive, counts.units), 0.20});
  }
  if (kind.changed.empty()) return;
  if (!kind.is_bursty) {
    Bar bar{"measured: slowdowns of 3 % not found at 0.5 % noise, share",
            share_of(counts.changed_quiet - counts.found_quiet, counts.changed_quiet), 0.10};
    if (counts.changed_quiet == 0) bar.reason = "the unit's noise was above 0.5 % in every one";
    report.add(bar);
  }
  report.add({fmt::format("measured: slowdowns of 3 % called same, {}, share", kind.name),
              share_of(counts.changed_same, counts.trials), 0});
}

}  // namespace

Result<void> add_measured_verdicts(const MeasuredVerdicts& settings, Report& report) {
  const auto is_wanted = [&](const std::string& kind) {
    return std::ranges::find(settings.kinds, kind) != settings.kinds.end();
  };
  std::string changed;
  if (is_wanted("slow") || is_wanted("hidden")) {
    OPBENCH_TRY(changed, changed_workload(settings));
    report.note("made slower by 3 %: " + changed);
  }
  for (const Kind& kind :
       {Kind{"quiet", "", "", false}, Kind{"bursty", "", "", true},
        Kind{"slow", "slow-3", changed, false}, Kind{"hidden", "slow-3", changed, true}}) {
    if (!is_wanted(kind.name)) continue;
    OPBENCH_TRY(const VerdictCounts counts, run_kind(kind, settings, report));
    add_measured_verdicts_bars(kind, counts, report);
  }
  return {};
}

}  // namespace opbench
