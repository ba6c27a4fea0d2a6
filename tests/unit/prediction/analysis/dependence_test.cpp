#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/numbers/random.h"
#include "prediction/analysis/distance_correlation.h"
#include "prediction/analysis/mutual_information.h"
#include "prediction/analysis/ranks.h"

namespace opbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Lt;

/// By its definition, from centred matrices of distances.
double defined_distance_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const size_t n = x.size();
  const auto centred = [&](const std::vector<double>& v) {
    std::vector<std::vector<double>> d(n, std::vector<double>(n));
    std::vector<double> row(n, 0.0);
    double all = 0;
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < n; ++k) {
        d[i][k] = std::fabs(v[i] - v[k]);
        row[i] += d[i][k] / static_cast<double>(n);
        all += d[i][k] / static_cast<double>(n * n);
      }
    }
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < n; ++k) d[i][k] += all - row[i] - row[k];
    }
    return d;
  };
  const auto a = centred(x);
  const auto b = centred(y);
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      ab += a[i][k] * b[i][k];
      aa += a[i][k] * a[i][k];
      bb += b[i][k] * b[i][k];
    }
  }
  return std::sqrt(ab / std::sqrt(aa * bb));
}

TEST(DistanceCorrelation, EqualsItsDefinition) {
  Random random(1);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<double> x(30), y(30);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = std::floor(random.uniform() * 6);  // with ties
      y[i] = trial % 2 == 0 ? random.uniform() : (x[i] - 3) * (x[i] - 3) + random.uniform();
    }
    const DistanceCorrelation distance(x, y);
    EXPECT_NEAR(distance.value(), defined_distance_correlation(x, y), 1e-9);
    const std::vector<size_t> order = random.shuffled(x.size());
    std::vector<double> moved;
    for (const size_t i : order) moved.push_back(y[i]);
    EXPECT_NEAR(distance.of(order), defined_distance_correlation(x, moved), 1e-9);
  }
}

TEST(DistanceCorrelation, IsOneForALineAndZeroForAConstant) {
  const std::vector<double> x = {1, 2, 3, 4};
  EXPECT_NEAR(DistanceCorrelation(x, std::vector<double>{3, 5, 7, 9}).value(), 1, 1e-12);
  EXPECT_EQ(DistanceCorrelation(x, std::vector<double>{2, 2, 2, 2}).value(), 0);
}

TEST(DistanceCorrelation, SeesAValleyThatRanksDoNot) {
  std::vector<double> x(101), y(101);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i) - 50;
    y[i] = x[i] * x[i];
  }
  EXPECT_NEAR(spearman(x, y), 0, 1e-9);
  EXPECT_GT(DistanceCorrelation(x, y).value(), 0.4);
}

TEST(Ranks, ShareTheMeanOfTies) {
  EXPECT_THAT(ranks_of(std::vector<double>{5, 1, 5, 3}), ElementsAre(3.5, 1, 3.5, 2));
}

TEST(Pearson, KnowsLinesAndConstants) {
  EXPECT_NEAR(pearson(std::vector<double>{1, 2, 3}, std::vector<double>{6, 4, 2}), -1, 1e-12);
  EXPECT_EQ(pearson(std::vector<double>{1, 1, 1}, std::vector<double>{6, 4, 2}), 0);
}

TEST(ChanceOfCorrelation, FallsWithStrengthAndNumber) {
  EXPECT_NEAR(chance_of_correlation(0.2, 100), 0.0458, 5e-4);  // z = atanh(0.2) √97
  EXPECT_LT(chance_of_correlation(0.2, 1000), 1e-8);
  EXPECT_EQ(chance_of_correlation(0.9, 3), 1);
  EXPECT_EQ(chance_of_correlation(0, 50), 1);
}

TEST(CorrectedChances, AreThoseOfBenjaminiAndHochberg) {
  EXPECT_THAT(corrected_chances(std::vector<double>{0.01, 0.04, 0.03, 0.5}),
              ElementsAre(DoubleNear(0.04, 1e-12), DoubleNear(0.16 / 3, 1e-12),
                          DoubleNear(0.16 / 3, 1e-12), DoubleNear(0.5, 1e-12)));
}

TEST(Bins, AreValuesWhereThereAreFewAndEqualCountsElse) {
  EXPECT_THAT(bins_of(std::vector<double>{7, 3, 7, 5}, 8), ElementsAre(2, 0, 2, 1));
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 0.0);
  const std::vector<size_t> bins = bins_of(values, 8);
  EXPECT_EQ(bin_count(bins), 8U);
  std::vector<int> counts(8);
  for (const size_t bin : bins) ++counts[bin];
  EXPECT_THAT(counts, Each(Lt(15)));
  EXPECT_EQ(bins_of(std::vector<double>{1, 1, 1, 2, 3, 4}, 2),
            (std::vector<size_t>{0, 0, 0, 1, 1, 1}));
}

TEST(MutualInformation, IsAllForACopyAndNoneForIndependence) {
  std::vector<size_t> x, y, order;
  for (size_t i = 0; i < 400; ++i) {
    x.push_back(i % 4);
    y.push_back(i / 4 % 4);
    order.push_back(i);
  }
  EXPECT_NEAR(mutual_information(x, x, order), 1, 0.02);
  EXPECT_NEAR(mutual_information(x, y, order), 0, 0.02);
}

}  // namespace
}  // namespace opbench
