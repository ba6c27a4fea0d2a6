#include "tuning/tuners/expected_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/space/space_builder.h"

namespace opbench {
namespace {

ConfigSpace numbers_to(int64_t count) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(i);
  SpaceBuilder builder;
  builder.define_option("k", values);
  return *std::move(builder).finish();
}

class ExpectedOrderTest : public testing::Test {
 protected:
  ExpectedOrder order_of(const std::function<double(uint64_t)>& estimate) {
    return {{.space = space_, .size = 100, .estimate = estimate}, random_};
  }

  const ConfigSpace space_ = numbers_to(100);
  Random random_{1, "order"};
};

TEST_F(ExpectedOrderTest, TheShortestComeFirstAndTheImpossibleNever) {
  ExpectedOrder order = order_of(
      [](uint64_t config) { return config < 3 ? 0.0 : 200 - static_cast<double>(config); });
  EXPECT_EQ(order.first(3, {}), (std::vector<uint64_t>{99, 98, 97}));
  EXPECT_EQ(order.first(2, {99, 97}), (std::vector<uint64_t>{98, 96}));
  EXPECT_EQ(order.first(1000, {99, 97}).size(), 95U);
}

TEST_F(ExpectedOrderTest, ConfigsDrawnApartHaveOneOfEachExpectation) {
  // Four levels, 1 % apart, of 25 configs each.
  ExpectedOrder order =
      order_of([](uint64_t config) { return 1 + 0.01 * static_cast<double>(config % 4); });
  std::unordered_set<uint64_t> visited;
  for (uint64_t level = 0; level < 4; ++level) {
    const auto config = order.draw_apart(visited);
    ASSERT_TRUE(config);
    EXPECT_EQ(*config % 4, level);
    visited.insert(*config);
  }
  EXPECT_FALSE(order.draw_apart(visited));
}

TEST_F(ExpectedOrderTest, EqualConfigsComeInRandomOrder) {
  ExpectedOrder order = order_of([](uint64_t) { return 1.0; });
  const std::vector<uint64_t> configs = order.first(100, {});
  EXPECT_FALSE(std::ranges::is_sorted(configs));
  EXPECT_EQ(configs.size(), 100U);
}

}  // namespace
}  // namespace opbench
