#include "prediction/trees/average_recall.h"

#include <gtest/gtest.h>

#include <vector>

namespace opbench {
namespace {

const std::vector<float> kLabels = {4, 3, 2, 1};

TEST(AverageRecall, OfTheTrueOrderGrowsWithThePlaces) {
  // 0 / 1 + 1 / 2 + 2 / 3 + 3 / 4
  const double sum = 23.0 / 12;
  EXPECT_DOUBLE_EQ(average_recall(kLabels, kLabels, 4), sum / 4);
  EXPECT_DOUBLE_EQ(average_recall(kLabels, kLabels, 2), 0.5 / 2);
}

TEST(AverageRecall, OfTheReversedOrderIsLess) {
  // Ranks 3 2 1 0: nothing in the first two places, the one of rank 2 in the third, then all three.
  const std::vector<float> reversed = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(average_recall(reversed, kLabels, 4), (1.0 / 3 + 3.0 / 4) / 4);
}

TEST(AverageRecall, OfTwoExchanged) {
  // Ranks 1 0 2 3: the first is among the first two, both are among the first three.
  const std::vector<float> exchanged = {3, 4, 2, 1};
  EXPECT_DOUBLE_EQ(average_recall(exchanged, kLabels, 3), (1.0 / 2 + 2.0 / 3) / 3);
}

TEST(AverageRecall, CountsPlacesBeyondTheRowsAsNothing) {
  EXPECT_DOUBLE_EQ(average_recall(kLabels, kLabels, 64), 23.0 / 12 / 64);
}

TEST(AverageRecall, GoesByOrderAlone) {
  const std::vector<float> steep = {1000, 3, 2, -5};
  EXPECT_EQ(average_recall(steep, kLabels, 4), average_recall(kLabels, kLabels, 4));
}

}  // namespace
}  // namespace opbench
