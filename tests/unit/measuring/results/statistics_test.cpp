#include "measuring/results/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/numbers/random.h"

namespace opbench {
namespace {

double gaussian(Random& random) { return random.normal(); }

/// A right-skewed time: exponential delays over a floor of 1; its median is 1 + 0.1 ln 2.
double delayed(Random& random) { return 1 - 0.1 * std::log(1 - random.uniform()); }

/// How many of 500 intervals hold `truth`, in percent.
double coverage(double truth, const std::function<Interval(Random&)>& experiment) {
  Random random(7);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    const Interval interval = experiment(random);
    hits += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  return hits / 5.0;
}

std::vector<double> autoregression(Random& random, size_t n, double r) {
  std::vector<double> series;
  double x = gaussian(random) / std::sqrt(1 - r * r);
  for (size_t i = 0; i < n; ++i) {
    series.push_back(x);
    x = r * x + gaussian(random);
  }
  return series;
}

std::vector<std::vector<double>> processes(Random& random, size_t count, size_t n, double between) {
  std::vector<std::vector<double>> groups(count);
  for (auto& group : groups) {
    const double shift = between * gaussian(random);
    for (size_t i = 0; i < n; ++i) group.push_back(100 + shift + gaussian(random));
  }
  return groups;
}

TEST(Statistics, DescribesASeriesInClosedForm) {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_DOUBLE_EQ(median(values), 3);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{}), 0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 2);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(median_absolute_deviation(values), 1);
  EXPECT_DOUBLE_EQ(mean(values), 3);
  EXPECT_DOUBLE_EQ(standard_deviation(values), std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector<double>{1}), 0);
}

TEST(Statistics, FindsTheAutocorrelationOfKnownSeries) {
  std::vector<double> alternating;
  for (int i = 0; i < 100; ++i) alternating.push_back(i % 2);
  EXPECT_NEAR(lag1_autocorrelation(alternating), -0.99, 1e-12);
  EXPECT_DOUBLE_EQ(effective_sample_size(alternating), 100);
  EXPECT_DOUBLE_EQ(lag1_autocorrelation(std::vector<double>{2, 2, 2, 2}), 0);
  EXPECT_DOUBLE_EQ(lag1_autocorrelation(std::vector<double>{1, 2, 3}), 0);  // (-1·0 + 0·1) / 2
  Random random(1);
  const std::vector<double> series = autoregression(random, 20000, 0.5);
  EXPECT_NEAR(lag1_autocorrelation(series), 0.5, 0.02);
  EXPECT_NEAR(effective_sample_size(series), 20000 / 3.0, 400);
}

TEST(Statistics, KnowsStudentsQuantiles) {
  EXPECT_NEAR(student_quantile(2), 4.303, 1e-9);
  EXPECT_NEAR(student_quantile(9), 2.262, 0.01);
  EXPECT_NEAR(student_quantile(25), 2.060, 0.005);
  EXPECT_NEAR(student_quantile(1e9), 1.960, 0.001);
  EXPECT_NEAR(student_quantile(0.5), 12.706, 1e-9);
}

TEST(StudentCdf, HasTheTabledProbabilities) {
  // In closed form for 1, 2 and 4 degrees of freedom (Shaw 2006), the rest from the t table.
  for (const double t : {-40.0, -3.0, -0.5, 0.0, 0.1, 1.0, 7.0}) {
    EXPECT_NEAR(student_cdf(t, 1), 0.5 + std::atan(t) / std::acos(-1.0), 1e-12) << t;
    EXPECT_NEAR(student_cdf(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-12) << t;
    const double q = t / std::sqrt(4 + t * t);
    EXPECT_NEAR(student_cdf(t, 4), 0.5 + q * (3 - q * q) / 4, 1e-12) << t;
  }
  EXPECT_NEAR(student_cdf(2.015, 5), 0.95, 2e-5);
  EXPECT_NEAR(student_cdf(3.169, 10), 0.995, 5e-6);
  EXPECT_NEAR(student_cdf(2.042, 30), 0.975, 2e-5);
  EXPECT_NEAR(student_cdf(3.373, 120), 0.9995, 2e-6);
}

TEST(StudentCdf, BecomesTheNormalDistribution) {
  EXPECT_NEAR(student_cdf(1.959964, 1e9), 0.975, 1e-8);
  EXPECT_NEAR(student_cdf(1.959964, 1e7), 0.975, 1e-6);
  for (const double t : {-3.0, -1.0, 0.5, 2.0}) {
    EXPECT_NEAR(student_cdf(t, 0.99e8), student_cdf(t, 1.01e8), 1e-7) << t;
  }
}

TEST(StudentCdf, KeepsSmallTails) {
  // Four degrees, far out: 3 / t^4 (the leading term of the tail).
  EXPECT_NEAR(student_cdf(-1e4, 4) / 3e-16, 1, 1e-6);
  EXPECT_NEAR(student_cdf(-6, 1e9) / 9.8658765e-10, 1, 1e-6);
}

TEST(StudentCritical, InvertsTheDistribution) {
  EXPECT_NEAR(student_critical(0.025, 4), 2.7764451, 1e-6);
  EXPECT_NEAR(student_critical(0.002, 4), 5.951, 0.002);
  EXPECT_NEAR(student_critical(0.001, 1e9), 3.0902323, 1e-6);
  EXPECT_NEAR(student_critical(0.5, 3), 0, 1e-6);
  for (const double degrees : {1.0, 2.5, 7.0, 33.0, 1000.0}) {
    EXPECT_NEAR(student_critical(0.025, degrees) / student_quantile(degrees), 1, 0.005) << degrees;
  }
}

TEST(OrderStatisticInterval, TakesTheRanksOfTheBinomialTable) {
  const auto ranks = [](int n) {
    std::vector<double> values;
    for (int i = n; i >= 1; --i) values.push_back(i);
    return order_statistic_interval(values);
  };
  EXPECT_EQ(ranks(6), (Interval{1, 6}));  // coverage 96.9 %
  EXPECT_EQ(ranks(9), (Interval{2, 8}));
  EXPECT_EQ(ranks(10), (Interval{2, 9}));
  EXPECT_EQ(ranks(20), (Interval{6, 15}));
  EXPECT_EQ(ranks(100), (Interval{40, 61}));
  EXPECT_EQ(ranks(1), (Interval{1, 1}));
  EXPECT_LT(ranks(5).low, 1);  // no pair of five values reaches 95 %
}

TEST(OrderStatisticInterval, CoversTheMedianOfIndependentValues) {
  for (const size_t n : {4, 7, 10, 30, 101}) {
    const double percent = coverage(1 + 0.1 * std::log(2.0), [&](Random& random) {
      std::vector<double> values;
      for (size_t i = 0; i < n; ++i) values.push_back(delayed(random));
      return order_statistic_interval(values);
    });
    EXPECT_GE(percent, 90) << n;
    EXPECT_LE(percent, 99.5) << n;
  }
}

TEST(MedianInterval, CoversTheMedianOfDependentValues) {
  for (const double r : {-0.3, 0.0, 0.3, 0.6, 0.8}) {
    const double percent = coverage(0, [&](Random& random) {
      return median_interval(autoregression(random, 60, r), random.next());
    });
    EXPECT_GE(percent, r > 0.7 ? 85 : 90) << r;
    EXPECT_LE(percent, 99.5) << r;
  }
}

TEST(MedianInterval, OfOrderStatisticsAloneWouldNotCoverDependentValues) {
  const double percent = coverage(
      0, [&](Random& random) { return order_statistic_interval(autoregression(random, 60, 0.8)); });
  EXPECT_LT(percent, 70);
}

TEST(BlockBootstrapInterval, RepeatsItselfForOneSeed) {
  Random random(3);
  const std::vector<double> series = autoregression(random, 50, 0.5);
  EXPECT_EQ(block_bootstrap_interval(series, 11), block_bootstrap_interval(series, 11));
}

TEST(EstimateOverGroups, CoversWithAndWithoutVariationBetweenProcesses) {
  for (const size_t count : {2, 3, 5}) {
    for (const double between : {0.0, 0.2, 0.5, 3.0}) {
      const double percent = coverage(100, [&](Random& random) {
        return estimate_over_groups(processes(random, count, 20, between), random.next()).interval;
      });
      EXPECT_GE(percent, count == 2 ? 85 : 90) << count << " processes, " << between;
      EXPECT_LE(percent, 99.5) << count << " processes, " << between;
    }
  }
}

TEST(EstimateOverLikeGroups, CoversWithAndWithoutVariationBetweenProcesses) {
  for (const size_t count : {3, 5, 10}) {
    for (const size_t n : {2, 3, 6, 24}) {
      for (const double between : {0.0, 0.2, 5.0}) {
        const double percent = coverage(100, [&](Random& random) {
          return estimate_over_like_groups(processes(random, count, n, between), random.next())
              .interval;
        });
        EXPECT_GE(percent, 90) << count << " processes of " << n << ", " << between;
        EXPECT_LE(percent, 99.8) << count << " processes of " << n << ", " << between;
      }
    }
  }
}

TEST(EstimateOverLikeGroups, IsNotStretchedByAFewLongTimes) {
  // Six values in each of five processes, a fifth of them ten times as far out.
  Random random(2);
  double like = 0;
  double apart = 0;
  for (int i = 0; i < 100; ++i) {
    auto groups = processes(random, 5, 6, 0);
    for (auto& group : groups) {
      for (double& x : group) {
        if (random.uniform() < 0.2) x = 100 + 10 * (x - 100);
      }
    }
    const Interval pooled = estimate_over_like_groups(groups, 1).interval;
    const Interval single = estimate_over_groups(groups, 1).interval;
    like += pooled.high - pooled.low;
    apart += single.high - single.low;
  }
  EXPECT_LT(like, apart / 2);
}

TEST(EstimateOverLikeGroups, IsEstimateOverGroupsOfOneProcess) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(estimate_over_like_groups({values, {}}, 1).interval, median_interval(values, 1));
  EXPECT_EQ(estimate_over_like_groups({}, 1).interval, Interval{});
  EXPECT_NEAR(estimate_over_like_groups({{1}, {2}, {3}}, 1).degrees, 2, 1e-9);
}

TEST(EstimateOverGroups, IsTheMedianOfTheProcessMedians) {
  const Estimate estimate = estimate_over_groups({{1, 2, 3}, {}, {10, 20, 30}, {4, 5, 6}}, 1);
  EXPECT_DOUBLE_EQ(estimate.value, 5);
  EXPECT_LT(estimate.interval.low, 5);
  EXPECT_GT(estimate.interval.high, 5);
  EXPECT_EQ(estimate_over_groups({}, 1).interval, Interval{});
}

TEST(EstimateOverGroups, KnowsItsErrorAndDegreesOfFreedom) {
  // Groups far apart: all variation lies between them.
  const Estimate far =
      estimate_over_groups({{1, 1.001, 1.002}, {2, 2.001, 2.002}, {3, 3.001, 3.002}}, 1);
  EXPECT_NEAR(far.degrees, 2, 0.01);
  EXPECT_NEAR(far.error, std::sqrt(1.346 / 3), 1e-3);
  EXPECT_NEAR(far.error * student_quantile(far.degrees), far.interval.high - far.value, 1e-9);
  Random random(9);
  const Estimate equal = estimate_over_groups(processes(random, 5, 400, 0), 1);
  EXPECT_GT(equal.degrees, 10);
  EXPECT_NEAR(equal.error, 1.2 * 1.2533 / std::sqrt(2000), 0.03);
  EXPECT_DOUBLE_EQ(estimate_over_groups({{7}}, 1).degrees, 0);
  EXPECT_DOUBLE_EQ(estimate_over_groups({{7, 8, 9}}, 1).degrees, 2);
}

TEST(EstimateOverGroups, OfOneProcessHasItsInterval) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(estimate_over_groups({values}, 1).interval, median_interval(values, 1));
}

}  // namespace
}  // namespace opbench
