#include "experiments/regress/paired_builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/system/seconds.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/compare/compare_judge.h"
#include "experiments/compare/compare_request.h"
#include "experiments/regress/git_commits.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr int kPairProcesses = 3;         // of each build
constexpr double kMostPairSeconds = 600;  // for one call: then there are fewer pairs
constexpr double kAnyDifference = 10;     // no verdict is asked for: rounds alone decide

/// One build of two as a side: a user's engine has a name that tells it from the other build's.
Result<VariantRequest> side_of_build(const PairedSubject& subject, const CommitBuild& build,
                                     const char* side, RunHooks& hooks) {
  const Suite suite{.cache = subject.cache, .check = subject.check};
  OPBENCH_TRY(ProfileRequest request, request_of_case(suite, subject.suite_case, kMostPairSeconds));
  const std::string& engine = subject.suite_case.engine;
  for (const UserEngine& built : build.engines) {
    if (built.name != engine) continue;
    UserEngine named = built;
    named.name = fmt::format("{}-{}-{}", engine, side, short_commit(build.commit));
    request.engines = {named.name};
    hooks.user_engines.push_back(std::move(named));
  }
  VariantRequest variant = variant_of(std::move(request));
  variant.build = build.opbench;
  variant.build_name = short_commit(build.commit);
  variant.commit = short_commit(build.commit);
  return variant;
}

std::vector<double> ratios_of_row(const CompareRow& row, const PairedTimes& times) {
  std::vector<double> ratios;
  for (const PairedRound& round : usable_rounds(times.made)) {
    ratios.push_back(round.log_s.at(*row.place[1]) - round.log_s.at(*row.place[0]));
  }
  return ratios;
}

double before_of_row(const CompareRow& row, const PairedTimes& times) {
  std::vector<double> log_s;
  for (const PairedRound& round : usable_rounds(times.made)) {
    log_s.push_back(round.log_s.at(*row.place[0]));
  }
  return s_to_ms(std::exp(median(log_s)));
}

std::vector<RowPairs> rows_of_times(const JudgeInputs& inputs) {
  std::vector<RowPairs> rows;
  for (const CompareRow& row : inputs.plan.rows) {
    if (!row.item || !row.place[0] || !row.place[1]) continue;
    const PairedItemResult& item = inputs.times.items[*row.item];
    if (!item.times || item.times->made.empty()) continue;
    const Measurement& before = item.times->sides.at(*row.place[0]);
    // Pairs answer whether a build is slower: a verdict.
    if (!why_no_verdict(before.clock, item.times->sides.at(*row.place[1]).clock).empty()) continue;
    RowPairs pairs{.log_ratios = ratios_of_row(row, *item.times),
                   .before_ms = before_of_row(row, *item.times)};
    if (!row.is_model) {
      const VariantUnit& unit = inputs.sides.front().units[*row.match.units.front()];
      pairs.unit = workload_text(unit.identity);
      pairs.shapes = unit.identity.operator_text + " " + short_shapes(unit.identity);
    }
    rows.push_back(std::move(pairs));
  }
  return rows;
}

/// Why nothing was measured.
std::string reason_of(const CompareResult& result) {
  for (const ComparedVariant& side : result.sides) {
    if (!side.check.reason.empty()) return side.label + ": " + side.check.reason;
  }
  for (const Comparison& comparison : result.comparisons) {
    if (!comparison.model.reason.empty()) return comparison.model.reason;
    for (const CompareUnit& unit : comparison.units) {
      if (unit.has_failed) return unit.identity.operator_text + ": " + unit.reason;
    }
  }
  return "no pair was taken";
}

}  // namespace

Result<std::vector<RowPairs>> pairs_of_builds(const PairedSubject& subject,
                                              const CommitBuild& before, const CommitBuild& after,
                                              int pairs, uint64_t seed, const RunHooks& hooks) {
  const bool is_own = before.engines.empty();
  CompareRequest request{.units = is_own && takes_packages(subject.suite_case.engine)
                                      ? UnitKind::kOwn
                                      : UnitKind::kFused,
                         .margin = kAnyDifference,
                         .precision = kAnyDifference,
                         .budget_s = kMostPairSeconds,
                         .seed = seed,
                         .hooks = hooks};
  request.scope = {.has_control = false,
                   .has_units = !subject.is_whole || !subject.unit.empty(),
                   .only = subject.unit,
                   .processes = kPairProcesses,
                   .rounds = std::max(1, (pairs + kPairProcesses - 1) / kPairProcesses)};
  OPBENCH_TRY(VariantRequest base, side_of_build(subject, before, "base", request.hooks));
  OPBENCH_TRY(VariantRequest next, side_of_build(subject, after, "new", request.hooks));
  base.hooks = next.hooks = request.hooks;
  request.sides = {std::move(base), std::move(next)};
  std::vector<RowPairs> rows;
  request.measured = [&](const JudgeInputs& inputs) { rows = rows_of_times(inputs); };
  OPBENCH_TRY(const CompareResult result, run_compare(request));
  if (hooks.is_cancelled()) return Error{ErrorCode::kInterrupted, "interrupted while measuring"};
  if (!rows.empty()) return rows;
  return Error{ErrorCode::kEnvironment,
               fmt::format("{} gives no pairs of {} and {}", text_of(subject.suite_case),
                           short_commit(before.commit), short_commit(after.commit))}
      .with("reason", reason_of(result));
}

}  // namespace opbench
