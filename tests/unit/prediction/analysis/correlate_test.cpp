#include "prediction/analysis/correlate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Tiles 1 … 64 with a time that `effect` gives to each, 10 % noise, and a knob that does nothing.
FactorTimes made_times(size_t rows, uint64_t seed, double (*effect)(double tile)) {
  Random random(seed);
  FactorTimes times;
  Factor tile{"tile", {}, {}}, idle{"idle", {}, {}}, fixed{"fixed", {}, {}};
  for (size_t i = 0; i < rows; ++i) {
    tile.values.push_back(static_cast<double>(1 + random.below(64)));
    idle.values.push_back(static_cast<double>(random.below(8)));
    fixed.values.push_back(3);
    times.log_times.push_back(std::log(effect(tile.values.back())) + 0.1 * random.normal());
  }
  times.factors = {tile, idle, fixed};
  return times;
}

double falling(double tile) { return std::pow(tile, -0.5); }
double valley(double tile) { return 1 + 0.001 * (tile - 32) * (tile - 32); }
double step(double tile) { return tile < 40 ? 3 : 1; }
double none(double) { return 1; }

FactorVerdict verdict(double (*effect)(double tile), size_t rows, uint64_t seed = 1) {
  return correlate(made_times(rows, seed, effect), {}).factors[0].verdict;
}

TEST(Correlate, TellsTheFourCasesApart) {
  for (const size_t rows : {size_t{200}, size_t{2000}}) {
    EXPECT_EQ(verdict(falling, rows), FactorVerdict::kMonotone);
    EXPECT_EQ(verdict(valley, rows), FactorVerdict::kTurning);
    EXPECT_EQ(verdict(step, rows), FactorVerdict::kMonotone);
    EXPECT_EQ(verdict(none, rows), FactorVerdict::kIndependent);
  }
  const CorrelationTable table = correlate(made_times(200, 1, falling), {});
  EXPECT_EQ(table.factors[1].verdict, FactorVerdict::kIndependent);
  EXPECT_EQ(table.factors[2].verdict, FactorVerdict::kNotVaried);
  EXPECT_FALSE(table.factors[2].spearman);
}

/// Two arms of unequal size: most rows lie on the rising one, and the least time between them.
FactorTimes uneven_valley(bool is_mirrored) {
  Random random(3);
  FactorTimes times;
  Factor tile{"tile", {}, {}};
  for (int i = 0; i < 300; ++i) {
    const double place = i % 10 == 0 ? static_cast<double>(random.below(3))
                                     : 3 + static_cast<double>(random.below(7));
    const double time = place < 3 ? 2.2 - 0.3 * place : 1 + 0.02 * (place - 3);
    tile.values.push_back(is_mirrored ? 9 - place : place);
    times.log_times.push_back(std::log(time) + 0.1 * random.normal());
  }
  times.factors = {tile};
  return times;
}

TEST(Correlate, PushesToNoBoundThatAnotherValueBeats) {
  for (const bool is_mirrored : {false, true}) {
    const FactorCorrelation tile = correlate(uneven_valley(is_mirrored), {}).factors[0];
    const size_t last = tile.shape.bins.size() - 1;
    ASSERT_GT(tile.shape.fastest, 0U);
    ASSERT_LT(tile.shape.fastest, last);
    EXPECT_TRUE(tile.verdict == FactorVerdict::kTurning || is_fast_at_bound(tile.shape));
  }
  for (const size_t rows : {size_t{200}, size_t{2000}}) {
    const FactorShape shape = correlate(made_times(rows, 1, falling), {}).factors[0].shape;
    EXPECT_TRUE(is_fast_at_bound(shape));
    EXPECT_FALSE(is_slow_at_bound(shape));
  }
}

/// Ranks fall, means rise: rare values are fast mostly, and very slow at times.
TEST(Correlate, NamesNoBoundWhereRanksAndMeansDisagree) {
  Random random(5);
  FactorTimes times;
  Factor tile{"tile", {}, {}};
  for (int i = 0; i < 400; ++i) {
    const auto place = static_cast<double>(random.below(6));
    const bool is_slow = random.below(6) < static_cast<uint64_t>(place) && random.below(3) == 0;
    tile.values.push_back(place);
    times.log_times.push_back(-0.1 * place + (is_slow ? 2.5 : 0.0) + 0.05 * random.normal());
  }
  times.factors = {tile};
  const FactorCorrelation found = correlate(times, {}).factors[0];
  ASSERT_LT(found.spearman->value, 0);
  ASSERT_FALSE(found.shape.falls);
  EXPECT_EQ(found.verdict, FactorVerdict::kTurning);
}

TEST(Correlate, CallsIdleKnobsIndependent) {
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    wrong += verdict(none, 150, seed) != FactorVerdict::kIndependent ? 1 : 0;
  }
  EXPECT_LE(wrong, 4);
}

TEST(Correlate, GivesTheElasticityAndTheEffect) {
  const CorrelationTable table = correlate(made_times(3000, 2, falling), {});
  EXPECT_NEAR(table.factors[0].elasticity.value(), -0.5, 0.02);
  EXPECT_TRUE(table.factors[0].shape.falls);
  EXPECT_GT(table.factors[0].shape.share, 0.8);
  EXPECT_EQ(table.factors[0].shape.fastest, table.factors[0].shape.bins.size() - 1);
  EXPECT_EQ(table.rows, 3000U);
  EXPECT_EQ(table.sampled, 1000U);
}

TEST(Correlate, FindsTheValley) {
  const CorrelationTable table = correlate(made_times(1000, 2, valley), {});
  const FactorShape& shape = table.factors[0].shape;
  EXPECT_LE(shape.bins[shape.fastest].low, 36);
  EXPECT_GE(shape.bins[shape.fastest].high, 28);
}

TEST(Correlate, TakesWordsAndMissingValues) {
  Random random(4);
  FactorTimes times;
  Factor order{"order", {}, {"nchw", "nhwc"}}, rare{"rare", {}, {}};
  for (int i = 0; i < 200; ++i) {
    order.values.push_back(static_cast<double>(i % 2));
    rare.values.push_back(i < 5 ? static_cast<double>(i)
                                : std::numeric_limits<double>::quiet_NaN());
    times.log_times.push_back(0.5 * (i % 2) + 0.1 * random.normal());
  }
  times.factors = {order, rare};
  const CorrelationTable table = correlate(times, {});
  EXPECT_EQ(table.factors[0].verdict, FactorVerdict::kWords);
  EXPECT_FALSE(table.factors[0].spearman);
  EXPECT_EQ(table.factors[0].words.at(table.factors[0].shape.fastest), "nchw");
  EXPECT_EQ(table.factors[1].verdict, FactorVerdict::kTooFew);
  EXPECT_EQ(table.factors[1].rows, 5U);
}

TEST(Correlate, RepeatsWithOneSeed) {
  const FactorTimes times = made_times(2000, 9, valley);
  const CorrelationTable one = correlate(times, {.seed = 5});
  const CorrelationTable other = correlate(times, {.seed = 5});
  EXPECT_EQ(one.factors[1].distance->value, other.factors[1].distance->value);
  EXPECT_EQ(one.factors[1].distance->chance, other.factors[1].distance->chance);
}

}  // namespace
}  // namespace opbench
