#include "experiments/compare/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

constexpr double kMany = 1e6;  ///< degrees of freedom

/// A ratio of 1 + `change` whose interval reaches `half` to both sides in its logarithm.
Evidence evidence_of(double change, double half, double degrees = kMany) {
  const double centre = std::log1p(change);
  const double error = half / student_quantile(degrees);
  return {.log_ratio = {centre, {centre - half, centre + half}, error, degrees}, .spent_s = 10};
}

TEST(Margin, IsTheWantedOneOrTwiceTheFloor) {
  EXPECT_DOUBLE_EQ(margin_of(0.02, {}), 0.02);
  EXPECT_DOUBLE_EQ(margin_of(0.02, 0.004), 0.02);
  EXPECT_DOUBLE_EQ(margin_of(0.02, 0.03), 0.06);
}

TEST(Judge, SaysSlowerFasterOrSameOfShortIntervals) {
  EXPECT_EQ(judge_one(evidence_of(0.03, 0.005), {}).verdict, Verdict::kSlower);
  EXPECT_EQ(judge_one(evidence_of(-0.03, 0.005), {}).verdict, Verdict::kFaster);
  EXPECT_EQ(judge_one(evidence_of(0.01, 0.005), {}).verdict, Verdict::kSame);
  EXPECT_EQ(judge_one(evidence_of(0.03, 0.02), {}).verdict, Verdict::kInconclusive);
  EXPECT_EQ(judge_one(evidence_of(0, 0.03), {}).verdict, Verdict::kInconclusive);
}

TEST(Judge, ExchangesItsVerdictsWithTheSides) {
  for (const double change : {0.0, 0.015, 0.0249, 0.0251, 0.2}) {
    Evidence there = evidence_of(change, 0.005);
    Evidence back = there;
    back.log_ratio.value *= -1;
    back.log_ratio.interval = {-there.log_ratio.interval.high, -there.log_ratio.interval.low};
    const Verdict verdict = judge_one(there, {}).verdict;
    const Verdict other = judge_one(back, {}).verdict;
    EXPECT_EQ(verdict == Verdict::kSlower, other == Verdict::kFaster) << change;
    EXPECT_EQ(verdict == Verdict::kSame, other == Verdict::kSame) << change;
  }
}

TEST(Judge, GivesTheRatioWithItsInterval) {
  const JudgedRatio judgement = judge_one(evidence_of(0.5, 0.01), {});
  EXPECT_NEAR(judgement.ratio.median, 1.5, 1e-12);
  EXPECT_NEAR(judgement.ratio.low, 1.5 * std::exp(-0.01), 1e-12);
  EXPECT_NEAR(judgement.ratio.high, 1.5 * std::exp(0.01), 1e-12);
}

TEST(Judge, WidensTheMarginByTheFloorButNotForSame) {
  Evidence slower = evidence_of(0.05, 0.01);
  slower.floor = 0.03;
  const JudgedRatio hidden = judge_one(slower, {});
  EXPECT_NEAR(hidden.margin, 0.06, 1e-12);
  EXPECT_EQ(hidden.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(hidden.needs_s);
  EXPECT_EQ(hidden.reason,
            "5.0 % slower (4.0 to 6.1 %), too near the margin of 6 %, twice what the same code "
            "differs by here");
  Evidence inside = evidence_of(0.03, 0.005);
  inside.floor = 0.03;
  EXPECT_EQ(judge_one(inside, {}).verdict, Verdict::kInconclusive);
  EXPECT_THAT(judge_one(inside, {}).reason,
              testing::EndsWith("and differences below 6 % cannot be told from chance on this "
                                "machine"));
  Evidence same = evidence_of(0.001, 0.005);
  same.floor = 0.03;
  EXPECT_EQ(judge_one(same, {}).verdict, Verdict::kSame);
}

TEST(Judge, AsksMoreOfOneDifferenceAmongManyUnits) {
  // t = 2.3 against the margin: enough for one unit, p = 0.011 and not below 0.05 / 25.
  const double error = 0.004;
  const double centre = std::log(1.02) + 2.3 * error;
  const Evidence weak{
      .log_ratio = {centre, {centre - 1.96 * error, centre + 1.96 * error}, error, kMany}};
  EXPECT_EQ(judge_one(weak, {}).verdict, Verdict::kSlower);
  std::vector<Evidence> units(25, evidence_of(0, 0.005));
  units[7] = weak;
  const std::vector<JudgedRatio> judgements = judge(units, {});
  EXPECT_EQ(judgements[7].verdict, Verdict::kInconclusive);
  EXPECT_THAT(judgements[7].reason, testing::EndsWith("among 25 units chance can do that"));
  EXPECT_EQ(judgements[8].verdict, Verdict::kSame);
  // Among others that differ for certain it is believed.
  for (size_t i = 8; i < 20; ++i) units[i] = evidence_of(0.2, 0.005);
  EXPECT_EQ(judge(units, {})[7].verdict, Verdict::kSlower);
}

TEST(Judge, AsksMoreWhereTheErrorIsKnownFromFewProcesses) {
  std::vector<Evidence> units(25, evidence_of(0, 0.005));
  units[3] = evidence_of(0.04, 0.01);
  EXPECT_EQ(judge(units, {})[3].verdict, Verdict::kSlower);
  units[3] = evidence_of(0.04, 0.01, 4);
  EXPECT_EQ(judge(units, {})[3].verdict, Verdict::kInconclusive);
}

TEST(Judge, SaysNothingWithoutAnError) {
  const JudgedRatio judgement = judge_one({.log_ratio = {1, {1, 1}}, .spent_s = 1}, {});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(judgement.reason, "too few undisturbed rounds to know how far chance reaches");
  EXPECT_FALSE(judgement.needs_s);
  EXPECT_TRUE(judge({}, {}).empty());
}

TEST(Judge, EstimatesTheTimeUntilItIsDecided) {
  // To lie inside the margin the interval has to shrink to half, so four times the 10 s.
  const double margin = std::log(1.02);
  EXPECT_NEAR(judge_one(evidence_of(0, 2 * margin), {}).needs_s.value(), 30, 1e-6);
  // To lie above: from 0.04 down to 0.02 over the margin.
  const double centre = std::expm1(margin + 0.02);
  EXPECT_NEAR(judge_one(evidence_of(centre, 0.04), {}).needs_s.value(), 30, 0.1);
  EXPECT_FALSE(judge_one(evidence_of(0.02, 0.01), {}).needs_s);
  EXPECT_FALSE(judge_one(evidence_of(0.0, 0.5), {}).needs_s);
  EXPECT_FALSE(judge_one(evidence_of(0.1, 0.01), {}).needs_s);
  Evidence unknown = evidence_of(0, 0.03);
  unknown.spent_s = 0;
  EXPECT_FALSE(judge_one(unknown, {}).needs_s);
}

TEST(Judge, GivesItsReasonInPlainWords) {
  const auto reason = [](double change, double half) {
    return judge_one(evidence_of(change, half), {}).reason;
  };
  EXPECT_EQ(reason(0.008, 0.007), "0.8 % slower (0.1 to 1.5 %), the margin is 2 %");
  EXPECT_EQ(reason(-0.002, 0.006),
            "0.2 % faster (0.8 % faster to 0.4 % slower), the margin is 2 %");
  EXPECT_EQ(reason(0.0001, 0.006), "0.0 % apart (0.6 % faster to 0.6 % slower), the margin is 2 %");
  EXPECT_EQ(reason(-0.3, 0.01), "30 % faster (29 to 31 %), the margin is 2 %");
  EXPECT_EQ(reason(1.5, 0.01), "takes 2.5 times as long (2.48 to 2.53), the margin is 2 %");
  EXPECT_EQ(reason(0.012, 0.025),
            "1.2 % slower (1.3 % faster to 3.8 % slower), which reaches over the margin of 2 %");
  EXPECT_EQ(reason(0.02, 0.01), "2.0 % slower (1.0 to 3.0 %), too near the margin of 2 %");
}

TEST(Settled, IsWhatMoreRoundsWouldNotChange) {
  EXPECT_TRUE(is_settled(evidence_of(0, 0.01), {}, 25));
  EXPECT_TRUE(is_settled(evidence_of(0.1, 0.01), {}, 25));
  EXPECT_FALSE(is_settled(evidence_of(0.03, 0.02), {}, 25));
  EXPECT_TRUE(is_settled(evidence_of(0.02, 0.002), {}, 25));  // the centre is at the margin
  EXPECT_FALSE(is_settled({}, {}, 25));
  // Beyond the margin, but not far enough for one among 25.
  const Evidence weak = evidence_of(0.0295, 0.009);
  EXPECT_TRUE(is_settled(weak, {}, 1));
  EXPECT_FALSE(is_settled(weak, {}, 25));
  Evidence between = evidence_of(0.05, 0.004);
  between.floor = 0.04;
  EXPECT_TRUE(is_settled(between, {}, 25));
}

}  // namespace
}  // namespace opbench
