#include "prediction/predict/price_choice.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "base/system/seconds.h"

namespace opbench {
namespace {

PricedTime device(const char* name, double price, double ms, std::optional<double> true_ms = {}) {
  PricedTime result{.device = name, .price_per_hour = price};
  result.time = PredictedTime{ms / kMsPerSecond, ms / kMsPerSecond, ms / kMsPerSecond};
  if (true_ms) result.true_s = *true_ms / kMsPerSecond;
  return result;
}

TEST(PriceChoice, TakesTheCheapestCallThatMeetsTheLatency) {
  const std::vector<PricedTime> devices = {device("slow", 1, 30), device("mid", 2, 12),
                                           device("fast", 10, 5)};
  EXPECT_EQ(choose_price(devices, 0).chosen, 1U);  // 24 against 30 and 50
  EXPECT_EQ(choose_price(devices, 0.010).chosen, 2U);
  EXPECT_FALSE(choose_price(devices, 0.001).chosen);
  const PriceChoice any = choose_price(devices, 0);
  EXPECT_EQ(any.cheapest, 0U);
  EXPECT_EQ(any.fastest, 2U);
  EXPECT_NEAR(*any.saved_on_cheapest, 1 - 24.0 / 30, 1e-12);
  EXPECT_NEAR(*any.saved_on_fastest, 1 - 24.0 / 50, 1e-12);
  EXPECT_FALSE(any.regret);
}

TEST(PriceChoice, KnowsItsRegretWhereAllIsMeasured) {
  std::vector<PricedTime> devices = {device("a", 1, 10, 12), device("b", 1, 11, 10)};
  const PriceChoice choice = choose_price(devices, 0);
  EXPECT_EQ(choice.chosen, 0U);
  EXPECT_EQ(choice.truly_best, 1U);
  EXPECT_NEAR(*choice.regret, 0.2, 1e-12);
  const PriceChoice missed = choose_price(devices, 0.0115);
  EXPECT_EQ(missed.chosen, 0U);
  EXPECT_FALSE(missed.meets_truly);
  EXPECT_FALSE(missed.regret);
  devices[1].true_s.reset();
  EXPECT_FALSE(choose_price(devices, 0).regret);
}

TEST(PriceChoice, LeavesOutDevicesWithoutATime) {
  PricedTime unknown{.device = "x", .price_per_hour = 0.01};
  EXPECT_EQ(choose_price({unknown, device("a", 1, 10)}, 0).chosen, 1U);
  EXPECT_FALSE(choose_price({unknown}, 0).chosen);
}

TEST(PriceChoice, NeverCostsMoreThanAnyOther) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<PricedTime> devices;
    for (size_t i = 0; i < 1 + random.below(6); ++i) {
      const double ms = 1 + static_cast<double>(random.below(40));
      devices.push_back(device("d", 1 + static_cast<double>(random.below(9)), ms, ms));
    }
    const double within_s = static_cast<double>(random.below(50)) / kMsPerSecond;
    const PriceChoice choice = choose_price(devices, within_s);
    if (choice.chosen) {
      EXPECT_EQ(*choice.regret, 0);
    }
    for (const PricedTime& other : devices) {
      if (within_s > 0 && other.time->median_s > within_s) continue;
      ASSERT_TRUE(choice.chosen);
      const PricedTime& chosen = devices[*choice.chosen];
      EXPECT_LE(price_of(chosen.time->median_s, chosen.price_per_hour),
                price_of(other.time->median_s, other.price_per_hour));
    }
  }
}

}  // namespace
}  // namespace opbench
