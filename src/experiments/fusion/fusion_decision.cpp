#include "experiments/fusion/fusion_decision.h"

#include <functional>

namespace opbench {
namespace {

constexpr double kAlpha = 0.5;
constexpr double kTail = 0.025;  ///< on each side

using FusionDecisionValue = std::function<double(const PairRound&)>;

Estimate estimate_of(const PairRounds& rounds, const FusionDecisionValue& value, uint64_t seed) {
  std::vector<std::vector<double>> groups;
  for (const std::vector<PairRound>& of_process : rounds) {
    groups.emplace_back();
    for (const PairRound& round : of_process) groups.back().push_back(value(round));
  }
  return estimate_over_like_groups(groups, seed);
}

double first_of(const PairRound& round) { return round.first - round.rest_of_first; }
double second_of(const PairRound& round) { return round.second - round.rest_of_second; }
double both_of(const PairRound& round) { return round.both - round.rest_of_first; }
double saved_of(const PairRound& round) {
  return first_of(round) + second_of(round) - both_of(round);
}

/// The interval for one of kMostLooks looks.
Interval widened(const Estimate& estimate) {
  if (estimate.degrees <= 0) return estimate.interval;
  const double half = student_critical(kTail / kMostLooks, estimate.degrees) * estimate.error;
  return {estimate.value - half, estimate.value + half};
}

}  // namespace

std::string_view name_of(FusionVerdict verdict) {
  switch (verdict) {
    case FusionVerdict::kFused:
      return "fused";
    case FusionVerdict::kNotFused:
      return "not fused";
    case FusionVerdict::kUndecided:
      break;
  }
  return "undecided";
}

FusionEvidence judge_fusion(const PairRounds& rounds, uint64_t seed) {
  FusionEvidence evidence;
  evidence.first = estimate_of(rounds, first_of, seed);
  evidence.second = estimate_of(rounds, second_of, seed);
  evidence.both = estimate_of(rounds, both_of, seed);
  evidence.saved = estimate_of(rounds, saved_of, seed);
  const bool is_first_lighter = evidence.first.value < evidence.second.value;
  const FusionDecisionValue lighter = is_first_lighter ? first_of : second_of;
  const Estimate& light = is_first_lighter ? evidence.first : evidence.second;
  if (light.value > 0) evidence.share = evidence.saved.value / light.value;
  evidence.margin = widened(estimate_of(
      rounds, [&](const PairRound& round) { return saved_of(round) - kAlpha * lighter(round); },
      seed));
  if (widened(light).low <= 0) return evidence;
  if (evidence.margin.low > 0) evidence.verdict = FusionVerdict::kFused;
  if (evidence.margin.high < 0) evidence.verdict = FusionVerdict::kNotFused;
  return evidence;
}

}  // namespace opbench
