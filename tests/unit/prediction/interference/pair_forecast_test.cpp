#include "prediction/interference/pair_forecast.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr double kThreshold = 1.1;
constexpr double kPeak = 50e9;  // bytes a second

/// A unit that spends `memory_share` of its time alone with memory, of whose bandwidth it takes
/// `demand` then.
struct SyntheticUnit {
  double memory_share = 0;
  double demand = 0;
};

/// The truth on a machine whose only shared thing is the bandwidth of memory: the part that waits
/// for memory grows with what both ask for together.
double slowdown_beside(const SyntheticUnit& unit, double demand_beside) {
  return 1 - unit.memory_share + unit.memory_share * std::max(1.0, unit.demand + demand_beside);
}

constexpr SyntheticUnit kProbe{1, 0.8};
constexpr double kLevels[] = {0.15, 0.3, 0.45, 0.6, 0.75, 0.9};

UnitPressure seen_beside_neighbours(const SyntheticUnit& unit) {
  std::vector<SensitivityPoint> points;
  for (const double level : kLevels) {
    points.push_back({slowdown_beside(kProbe, level), slowdown_beside(unit, level)});
  }
  return {SensitivityCurve(points), slowdown_beside(kProbe, unit.demand), unit.demand * kPeak};
}

std::vector<JudgedForecast> all_pairs(uint64_t seed) {
  Random random(seed);
  std::vector<SyntheticUnit> units;
  for (int i = 0; i < 8; ++i) units.push_back({random.uniform(), 0.9 * random.uniform()});
  std::vector<JudgedForecast> judged;
  for (const SyntheticUnit& unit : units) {
    for (const SyntheticUnit& beside : units) {
      const double truth = slowdown_beside(unit, beside.demand);
      judged.push_back(
          {forecast(seen_beside_neighbours(unit), seen_beside_neighbours(beside), kPeak),
           {truth, {truth * 0.99, truth * 1.01}, 10}});
    }
  }
  return judged;
}

TEST(PairForecast, FindsPairsThatHurtOnSyntheticMachines) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto errors = forecast_errors(all_pairs(seed), kThreshold);
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_EQ(errors[0].method, "curve");
    EXPECT_EQ(errors[0].pairs, 64U);
    EXPECT_LT(errors[0].mean_error, 0.02);
    EXPECT_LT(errors[0].worst_error, 0.15);
    for (size_t i = 1; i < errors.size(); ++i) {
      EXPECT_LT(errors[0].mean_error, errors[i].mean_error) << errors[i].method;
    }
    EXPECT_GE(errors[0].recall().value_or(1), 0.7);
    EXPECT_GE(errors[0].precision().value_or(1), 0.9);
  }
}

TEST(PairForecast, CountsHitsFalseAlarmsAndMisses) {
  const auto judged = [](double predicted, double measured) {
    return JudgedForecast{{.curve = predicted}, {.ratio = measured}};
  };
  const auto errors = forecast_errors(
      {judged(1.2, 1.2), judged(1.2, 1.0), judged(1.0, 1.25), judged(1.0, 1.0)}, kThreshold);
  ASSERT_EQ(errors.size(), 3U);  // no bandwidth is known
  EXPECT_EQ(errors[0].hits, 1U);
  EXPECT_EQ(errors[0].false_alarms, 1U);
  EXPECT_EQ(errors[0].misses, 1U);
  EXPECT_EQ(errors[0].precision(), 0.5);
  EXPECT_EQ(errors[0].recall(), 0.5);
  EXPECT_DOUBLE_EQ(errors[0].mean_error, (0.2 + 0.2) / 4);
  EXPECT_DOUBLE_EQ(errors[0].worst_error, 0.2);
  EXPECT_EQ(errors[1].method, "max");
  EXPECT_FALSE(errors[1].precision());  // it predicts nothing to hurt
  EXPECT_EQ(errors[1].recall(), 0);
  EXPECT_EQ(errors[2].method, "sum");
  EXPECT_EQ(errors[2].recall(), 1);
}

TEST(PairForecast, HasNoRecallWhereNothingHurts) {
  const auto errors = forecast_errors({{{.curve = 1}, {.ratio = 1}}}, kThreshold);
  EXPECT_FALSE(errors[0].recall());
  EXPECT_FALSE(errors[0].precision());
}

TEST(PairForecast, SharesBandwidthWhereItIsKnown) {
  UnitPressure unit;
  unit.bytes_per_s = 30e9;
  EXPECT_EQ(forecast(unit, unit, kPeak).bandwidth_share, 1.2);
  EXPECT_EQ(forecast(unit, unit, 100e9).bandwidth_share, 1);
  EXPECT_FALSE(forecast(unit, unit, 0).bandwidth_share);
  EXPECT_FALSE(forecast(unit, UnitPressure(), kPeak).bandwidth_share);
}

TEST(PairForecast, NoiseFloorIsTheMeanHalfInterval) {
  const std::vector<JudgedForecast> judged = {{{}, {1.0, {0.9, 1.1}, 9}},
                                              {{}, {2.0, {1.9, 2.5}, 9}}};
  EXPECT_DOUBLE_EQ(noise_floor(judged), (0.1 + 0.15) / 2);
  EXPECT_EQ(undecided(judged, 1.05), 1U);
  EXPECT_EQ(noise_floor({}), 0);
}

}  // namespace
}  // namespace opbench
