#include "experiments/fusion/fusion_decision.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers/random.h"
#include "experiments/fusion/fusion_rules.h"

namespace opbench {
namespace {

/// Rounds of a pair of which running both takes `both` seconds. `noise`: of every time.
PairRounds rounds(double first, double second, double both, double noise, uint64_t seed,
                  int count = 8) {
  constexpr double kRest = 5e-5;
  Random random(seed);
  const auto disturbed = [&](double seconds) {
    return seconds + noise * std::abs(random.normal());
  };
  PairRounds result(3);
  for (std::vector<PairRound>& of_process : result) {
    for (int i = 0; i < count; ++i) {
      of_process.push_back({disturbed(kRest), disturbed(kRest), disturbed(kRest + first),
                            disturbed(kRest + second), disturbed(kRest + both)});
    }
  }
  return result;
}

TEST(FusionDecision, TellsFusedFromNotFused) {
  const FusionEvidence fused = judge_fusion(rounds(4e-4, 1e-4, 4.1e-4, 1e-6, 1), 0);
  EXPECT_EQ(fused.verdict, FusionVerdict::kFused);
  EXPECT_NEAR(fused.saved.value, 0.9e-4, 2e-6);
  EXPECT_NEAR(fused.share, 0.9, 0.03);
  EXPECT_NEAR(fused.first.value, 4e-4, 2e-6);
  EXPECT_NEAR(fused.second.value, 1e-4, 2e-6);
  const FusionEvidence apart = judge_fusion(rounds(4e-4, 1e-4, 4.9e-4, 1e-6, 2), 0);
  EXPECT_EQ(apart.verdict, FusionVerdict::kNotFused);
  EXPECT_LT(apart.margin.high, 0);
}

TEST(FusionDecision, TheLighterOperatorMayBeTheFirst) {
  EXPECT_EQ(judge_fusion(rounds(1e-4, 4e-4, 4.1e-4, 1e-6, 3), 0).verdict, FusionVerdict::kFused);
}

TEST(FusionDecision, LeavesOpenWhatNoiseHides) {
  EXPECT_EQ(judge_fusion(rounds(4e-4, 1e-5, 4.05e-4, 1e-4, 4), 0).verdict,
            FusionVerdict::kUndecided);
  EXPECT_EQ(judge_fusion(rounds(4e-4, 1e-4, 4.5e-4, 1e-6, 5), 0).verdict,
            FusionVerdict::kUndecided);
}

TEST(FusionDecision, AnOperatorWithoutTimeTellsNothing) {
  EXPECT_EQ(judge_fusion(rounds(4e-4, 0, 4e-4, 1e-6, 6), 0).verdict, FusionVerdict::kUndecided);
}

// Of pairs that lie just on the other side of the threshold, few may be called wrongly.
TEST(FusionDecision, IsSeldomWrongUnderNoise) {
  int wrong = 0;
  constexpr int kTries = 400;
  for (uint64_t seed = 0; seed < kTries; ++seed) {
    const bool is_fused = seed % 2 == 0;
    const double saved = is_fused ? 0.55e-4 : 0.45e-4;
    const FusionEvidence evidence =
        judge_fusion(rounds(4e-4, 1e-4, 5e-4 - saved, 2e-5, 100 + seed), 0);
    if (evidence.verdict == FusionVerdict::kUndecided) continue;
    wrong += (evidence.verdict == FusionVerdict::kFused) != is_fused ? 1 : 0;
  }
  EXPECT_LE(wrong, kTries / 20);
}

FusionRule rule(FusionVerdict verdict, std::optional<bool> is_fused) {
  FusionRule result;
  result.evidence.verdict = verdict;
  result.is_fused = is_fused;
  return result;
}

TEST(FusionScore, CountsAnUndecidedFusedPairAsMissed) {
  const FusionScore score =
      score_of({rule(FusionVerdict::kFused, true), rule(FusionVerdict::kFused, true),
                rule(FusionVerdict::kFused, false), rule(FusionVerdict::kUndecided, true),
                rule(FusionVerdict::kNotFused, true), rule(FusionVerdict::kNotFused, false),
                rule(FusionVerdict::kFused, {})});
  EXPECT_EQ(score.judged, 6);
  EXPECT_EQ(score.undecided, 1);
  EXPECT_DOUBLE_EQ(*score.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(*score.recall(), 0.5);
  EXPECT_FALSE(score_of({}).precision());
  EXPECT_FALSE(score_of({}).recall());
}

}  // namespace
}  // namespace opbench
