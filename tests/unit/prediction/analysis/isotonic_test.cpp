#include "prediction/analysis/isotonic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

/// The least squares of a fit that rises up to `turn` and falls from there, or the other way round,
/// over levels of a fine grid, by trying all.
double isotonic_searched(const std::vector<double>& y, size_t turn, bool falls_first) {
  constexpr int kLevels = 21;
  std::vector<double> best(kLevels, 0.0);  // by the level of the last value
  for (size_t i = 0; i < y.size(); ++i) {
    const bool falls = (i < turn) == falls_first;
    std::vector<double> next(kLevels, std::numeric_limits<double>::infinity());
    for (int level = 0; level < kLevels; ++level) {
      const double residual = y[i] - level / static_cast<double>(kLevels - 1);
      for (int before = 0; before < kLevels; ++before) {
        const bool may_follow = i == 0 || i == turn || (falls ? before >= level : before <= level);
        if (!may_follow) continue;
        next[static_cast<size_t>(level)] =
            std::min(next[static_cast<size_t>(level)],
                     best[static_cast<size_t>(before)] + residual * residual);
      }
    }
    best = next;
  }
  return std::ranges::min(best);
}

TEST(Isotonic, PoolsWhatFalls) {
  const MonotoneFit fit = rising_fit({1, 4, 2, 5}, {1, 1, 1, 1});
  EXPECT_THAT(fit.values, ElementsAre(1, 3, 3, 5));
  EXPECT_EQ(fit.levels, 3U);
  EXPECT_DOUBLE_EQ(fit.squares, 2);
  EXPECT_THAT(falling_fit({5, 2, 4, 1}, {1, 1, 1, 1}).values, ElementsAre(5, 3, 3, 1));
}

TEST(Isotonic, CountsWeights) { EXPECT_THAT(rising_fit({3, 0}, {1, 2}).values, ElementsAre(1, 1)); }

TEST(Isotonic, TurnsOnceWhereThatIsBest) {
  EXPECT_THAT(valley_fit({3, 1, 1, 2, 5}, std::vector<double>(5, 1)).values,
              ElementsAre(3, 1, 1, 2, 5));
  EXPECT_THAT(peak_fit({1, 3, 2}, std::vector<double>(3, 1)).values, ElementsAre(1, 3, 2));
}

TEST(Isotonic, IsNoWorseThanAnyTurnOnAGrid) {
  Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<double> y(7);
    for (double& value : y) value = random.uniform();
    const std::vector<double> weights(y.size(), 1.0);
    double valley = std::numeric_limits<double>::infinity();
    double peak = valley;
    for (size_t turn = 0; turn <= y.size(); ++turn) {
      valley = std::min(valley, isotonic_searched(y, turn, true));
      peak = std::min(peak, isotonic_searched(y, turn, false));
    }
    EXPECT_LE(valley_fit(y, weights).squares, valley + 1e-12);
    EXPECT_GE(valley_fit(y, weights).squares, valley - 0.1);
    EXPECT_LE(peak_fit(y, weights).squares, peak + 1e-12);
  }
}

}  // namespace
}  // namespace opbench
