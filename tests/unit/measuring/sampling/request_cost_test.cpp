#include "measuring/sampling/request_cost.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(RequestCost, TellsWhatIsFixedFromWhatEachRunCosts) {
  RequestCost cost;
  cost.add(1, 2.01, 0.002);
  cost.add(5, 2.05, 0.002);
  EXPECT_NEAR(cost.fixed_s(), 2, 1e-9);
  EXPECT_NEAR(cost.of(100), 3, 1e-9);
  EXPECT_EQ(cost.affordable(2.1), 10);
  EXPECT_EQ(cost.affordable(1), 0);
}

TEST(RequestCost, TakesAllForRunsAsLongAsItKnowsOneSize) {
  RequestCost cost;
  EXPECT_EQ(cost.affordable(10), 0);
  cost.add(2, 0.1, 0.001);
  EXPECT_NEAR(cost.of(4), 0.2, 1e-9);
  EXPECT_EQ(cost.affordable(0.31), 6);
}

TEST(RequestCost, GrowsByFourAtMost) {
  RequestCost cost;
  cost.add(1, 0.001, 0.001);
  EXPECT_EQ(cost.affordable(100), 4);
  cost.add(4, 0.004, 0.001);
  EXPECT_EQ(cost.affordable(100), 16);
}

TEST(RequestCost, NeverTakesARunForShorterThanItSaysNorForFree) {
  RequestCost cost;
  cost.add(1, 3.0, 0.5);  // the first one paid for something else, too
  cost.add(5, 2.5, 0.5);
  EXPECT_NEAR(cost.of(1), 0.5, 1e-9);
  EXPECT_NEAR(cost.fixed_s(), 0, 1e-9);
}

}  // namespace
}  // namespace opbench
