#include "prediction/few_shot/few_shot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "prediction/few_shot/informative_units.h"
#include "synthetic_table.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// The last device as the new one.
struct LeftOut {
  DevicePool pool;
  FewShotDevice device;
};

LeftOut left_out(const SyntheticTable& table, const std::vector<size_t>& units) {
  const size_t last = table.times.columns - 1;
  LeftOut result{.pool = {.times = columns_of(table.times, numbers_below(last))}, .device = {}};
  for (const size_t unit : units) {
    result.device.labels.push_back({unit, table.times.at(unit, last)});
  }
  return result;
}

std::vector<size_t> drawn(uint64_t seed, size_t units, size_t count) {
  std::vector<size_t> order = Random(seed).shuffled(units);
  order.resize(count);
  return order;
}

double error_of(const LeftOut& problem, const SyntheticTable& table) {
  const auto predicted = predict_few_shot(problem.pool, problem.device);
  EXPECT_TRUE(predicted);
  return mean_error(*predicted, table.times, table.times.columns - 1);
}

/// The best that one device of the pool can do, times one factor: it sees all times.
double best_proxy_error(const LeftOut& problem, const SyntheticTable& table) {
  double best = std::numeric_limits<double>::infinity();
  for (size_t proxy = 0; proxy < problem.pool.times.columns; ++proxy) {
    double logs = 0;
    for (const LabelledUnit& label : problem.device.labels) {
      logs += std::log(label.time / problem.pool.times.at(label.unit, proxy));
    }
    const double factor = std::exp(logs / static_cast<double>(problem.device.labels.size()));
    std::vector<double> predicted;
    for (size_t unit = 0; unit < table.times.rows; ++unit) {
      predicted.push_back(factor * problem.pool.times.at(unit, proxy));
    }
    best = std::min(best, mean_error(predicted, table.times, table.times.columns - 1));
  }
  return best;
}

TEST(FewShot, IsBetterThanTheBestProxy) {
  double ours = 0, proxy = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const SyntheticTable table = synthetic_table(seed, 400, 13, 3, 0.02);
    const LeftOut problem = left_out(table, drawn(seed, 400, 10));
    ours += error_of(problem, table);
    proxy += best_proxy_error(problem, table);
  }
  EXPECT_LT(ours, 0.75 * proxy);
}

TEST(FewShot, FindsACombinationOfDevicesExactly) {
  SyntheticTable table = synthetic_table(5, 100, 4, 4, 0);
  for (size_t unit = 0; unit < 100; ++unit) {
    table.times.at(unit, 3) = 0.25 * table.times.at(unit, 0) + 2 * table.times.at(unit, 2);
  }
  EXPECT_LT(error_of(left_out(table, drawn(1, 100, 4)), table), 1e-6);
}

TEST(FewShot, DoesNotDependOnTheUnitOfTime) {
  SyntheticTable table = synthetic_table(6, 100, 6, 3, 0.05);
  LeftOut problem = left_out(table, drawn(2, 100, 8));
  const auto before = predict_few_shot(problem.pool, problem.device);
  for (double& time : problem.pool.times.values) time *= 1000;
  for (LabelledUnit& label : problem.device.labels) label.time *= 1000;
  const auto after = predict_few_shot(problem.pool, problem.device);
  ASSERT_TRUE(before && after);
  for (size_t unit = 0; unit < 100; ++unit) {
    EXPECT_NEAR((*after)[unit], (*before)[unit] * 1000, (*before)[unit] * 1e-3);
  }
}

TEST(FewShot, UsesTheDescriptorWhereLabelsAreFew) {
  double with = 0, without = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const SyntheticTable table = synthetic_table(seed, 300, 13, 3, 0.02);
    LeftOut problem = left_out(table, drawn(seed, 300, 2));
    without += error_of(problem, table);
    problem.pool.probes = columns_of(table.probes, numbers_below(12));
    for (size_t i = 0; i < 3; ++i) problem.device.probes.push_back(table.probes.at(i, 12));
    with += error_of(problem, table);
  }
  EXPECT_LT(with, 0.5 * without);
}

TEST(FewShot, PredictsFromProbesAlone) {
  double ours = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const SyntheticTable table = synthetic_table(seed, 300, 13, 3, 0);
    LeftOut problem = left_out(table, {});
    problem.pool.probes = columns_of(table.probes, numbers_below(12));
    for (size_t i = 0; i < 3; ++i) problem.device.probes.push_back(table.probes.at(i, 12));
    ours += error_of(problem, table);
  }
  EXPECT_LT(ours / 20, 0.1);
}

TEST(FewShot, BoundsTheWeightOfAUnitThatTheDeviceSkips) {
  const SyntheticTable table = synthetic_table(4, 300, 13, 3, 0.02);
  LeftOut problem = left_out(table, drawn(4, 300, 10));
  problem.device.labels.front().time *= 1e-4;
  const double skipped = error_of(problem, table);
  problem.device.labels.front().time *= 1e-4;
  EXPECT_NEAR(error_of(problem, table), skipped, 1e-3);
}

TEST(FewShot, RefusesWhatItCannotLearnFrom) {
  const SyntheticTable table = synthetic_table(1, 20, 4, 2, 0);
  const LeftOut good = left_out(table, {1, 2});
  const auto message = [](const DevicePool& pool, const FewShotDevice& device) {
    const auto predicted = predict_few_shot(pool, device);
    EXPECT_FALSE(predicted);
    return predicted ? std::string() : predicted.error().message;
  };
  EXPECT_THAT(message({}, good.device), HasSubstr("no device"));
  EXPECT_THAT(message(good.pool, {}), HasSubstr("no unit was measured"));
  EXPECT_THAT(message(good.pool, {.labels = {{20, 1.0}}}), HasSubstr("a label of unit 20, of 20"));
  EXPECT_THAT(message(good.pool, {.labels = {{1, 0.0}}}), HasSubstr("0 is not above 0"));
  EXPECT_THAT(message(good.pool, {.labels = {{1, 1.0}}, .probes = {1.0}}),
              HasSubstr("1 probes of the new device, 0 of the others"));
  LeftOut bad = good;
  bad.pool.times.at(3, 1) = -1;
  EXPECT_THAT(message(bad.pool, bad.device), HasSubstr("a time of -1"));
}

TEST(InformativeUnits, TellMoreThanRandomOnes) {
  double chosen_well = 0, random = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const SyntheticTable table = synthetic_table(seed, 300, 13, 4, 0.05);
    const DenseMatrix pool = columns_of(table.times, numbers_below(12));
    chosen_well += error_of(left_out(table, informative_units(pool, numbers_below(300), 6)), table);
    random += error_of(left_out(table, drawn(seed, 300, 6)), table);
  }
  EXPECT_LT(chosen_well, random);
}

TEST(InformativeUnits, AreDifferentCandidates) {
  const SyntheticTable table = synthetic_table(2, 50, 5, 3, 0.1);
  const std::vector<size_t> candidates = {4, 7, 30, 41};
  std::vector<size_t> chosen = informative_units(table.times, candidates, 10);
  std::ranges::sort(chosen);
  EXPECT_EQ(chosen, candidates);
  EXPECT_EQ(informative_units(table.times, candidates, 2).size(), 2U);
}

}  // namespace
}  // namespace opbench
