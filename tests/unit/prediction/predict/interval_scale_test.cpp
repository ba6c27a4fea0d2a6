#include "prediction/predict/interval_scale.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

std::vector<double> up_to(size_t count) {
  std::vector<double> scores;
  for (size_t i = count; i >= 1; --i) scores.push_back(static_cast<double>(i));
  return scores;
}

TEST(IntervalScale, TakesTheRankOfConformalPrediction) {
  const IntervalScale scale(up_to(19));
  EXPECT_EQ(scale.half_width(0.9), 18);   // ceil(20 * 0.9)
  EXPECT_EQ(scale.half_width(0.95), 19);  // ceil(20 * 0.95)
  EXPECT_EQ(scale.half_width(0.5), 10);
}

TEST(IntervalScale, PromisesNothingThatFewScoresCannot) {
  EXPECT_FALSE(IntervalScale(up_to(19)).half_width(0.96));
  EXPECT_FALSE(IntervalScale(up_to(8)).half_width(0.9));
  EXPECT_EQ(IntervalScale(up_to(9)).half_width(0.9), 9);
  EXPECT_FALSE(IntervalScale().half_width(0.5));
}

TEST(IntervalScale, HoldsNewScoresAsOftenAsPromised) {
  Random random(5);
  int64_t inside = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> scores;
    for (int i = 0; i < 30; ++i) scores.push_back(random.uniform());
    if (random.uniform() <= IntervalScale(scores).half_width(0.9)) ++inside;
  }
  EXPECT_NEAR(static_cast<double>(inside) / kTrials, 28.0 / 31, 0.02);  // ceil(31 * 0.9) / 31
}

TEST(IntervalScale, KeepsFewOfManyScoresAndRoundsUp) {
  const IntervalScale scale(up_to(10'000));
  EXPECT_EQ(scale.size(), 10'000U);
  EXPECT_EQ(scale.scores().size(), IntervalScale::kKept);
  const double exact = 9001;
  EXPECT_GE(*scale.half_width(0.9), exact);
  EXPECT_LE(*scale.half_width(0.9), exact + 10'000.0 / IntervalScale::kKept);
  const IntervalScale again = IntervalScale::from_kept(scale.scores(), scale.size());
  EXPECT_EQ(again.half_width(0.9), scale.half_width(0.9));
}

}  // namespace
}  // namespace opbench
