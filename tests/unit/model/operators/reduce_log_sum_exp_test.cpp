#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "node_runner.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(ReduceLogSumExp, OverflowsNowhere) {
  EXPECT_THAT(floats("reduce_log_sum_exp 2x2 axes=1", {1e30F, 1e30F, -1e4F, -1e4F}),
              ElementsAre(FloatEq(1e30F), FloatEq(-1e4F + std::log(2.0F))));
  EXPECT_THAT(floats("reduce_log_sum_exp 3 keepdims=0", {0, std::log(2.0F), std::log(5.0F)}),
              ElementsAre(FloatEq(std::log(8.0F))));
}

TEST(ReduceLogSumExp, TakesInfinities) {
  EXPECT_THAT(floats("reduce_log_sum_exp 3x2 axes=1",
                     {-kInfinity, -kInfinity, kInfinity, kInfinity, -kInfinity, 3}),
              ElementsAre(-kInfinity, kInfinity, 3));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(floats("reduce_log_sum_exp 2", {1, nan}).at(0)));
}

TEST(ReduceLogSumExp, OfNothingIsMinusInfinity) {
  const Node node = node_of("ReduceLogSumExp", {{"axes", std::vector<int64_t>{0}}});
  EXPECT_THAT(result_of(node, {float_tensor({0, 2}, {})}), ElementsAre(-kInfinity, -kInfinity));
}

}  // namespace
}  // namespace opbench
