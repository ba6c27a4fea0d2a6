#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_runner.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

TEST(Det, EliminatesWithPivots) {
  EXPECT_THAT(floats("det 2x2", {1, 2, 3, 4}), ElementsAre(FloatEq(-2)));
  EXPECT_THAT(floats("det 2x3x3", {0, 2, 0, 1, 0, 0, 0, 0, 3, 1, 2, 3, 2, 4, 6, 1, 1, 1}),
              ElementsAre(FloatEq(-6), FloatEq(0)));
  EXPECT_THAT(floats("det 1x1", {-7}), ElementsAre(-7));
}

TEST(Det, OfAnEmptyMatrixIs1) {
  EXPECT_THAT(result_of(node_of("Det"), {float_tensor({2, 0, 0}, {})}), ElementsAre(1, 1));
  EXPECT_THAT(result_of(node_of("Det"), {float_tensor({0, 2, 2}, {})}), ElementsAre());
}

TEST(Det, RefusesOtherMatrices) {
  EXPECT_THAT(refusal(node_of("Det"), {float_tensor({2, 3}, {1, 2, 3, 4, 5, 6})}),
              HasSubstr("matrices of 2x3 are not square"));
  EXPECT_FALSE(parse_workload("det 3"));
}

TEST(MeanVarianceNorm, NormalisesOverItsAxes) {
  EXPECT_THAT(floats("mean_variance_norm 1x2x1x2", {1, 3, 10, 30}),
              ElementsAre(FloatEq(-1), FloatEq(1), FloatEq(-1), FloatEq(1)));
  EXPECT_THAT(floats("mean_variance_norm 2x2 axes=0", {1, 5, 3, 5}),
              ElementsAre(FloatEq(-1), 0, FloatEq(1), 0));
  EXPECT_FALSE(parse_workload("mean_variance_norm 2x2"));
}

TEST(MeanVarianceNorm, OrdersItsAxesInTheText) {
  const auto text = [](const std::string& from) { return text_of(parse_workload(from).value()); };
  EXPECT_EQ(text("mean_variance_norm 1x2x3x4 axes=-1,2,0"), "mean_variance_norm 1x2x3x4");
  EXPECT_EQ(text("mean_variance_norm 1x2x3x4 axes=-1"), "mean_variance_norm 1x2x3x4 axes=3");
}

TEST(LpNorm, DividesByTheNorm) {
  EXPECT_THAT(floats("lp_norm 2x2", {3, -4, 0, 0}), ElementsAre(0.6F, -0.8F, 0, 0));
  EXPECT_THAT(floats("lp_norm 2x2 axis=0 p=1", {1, -4, 3, 4}),
              ElementsAre(0.25F, -0.5F, 0.75F, 0.5F));
  EXPECT_THAT(result_of(node_of("LpNormalization"), {float_tensor({2, 0}, {})}), ElementsAre());
  EXPECT_THAT(refusal(node_of("LpNormalization", {{"p", int64_t{3}}}), {float_tensor({1}, {1})}),
              HasSubstr("p 3 is not 1 or 2"));
  EXPECT_EQ(text_of(parse_workload("lp_norm 2x3 axis=1 p=2").value()), "lp_norm 2x3");
  EXPECT_FALSE(parse_workload("lp_norm 2x3 axis=2"));
}

TEST(LpPool, TakesTheNormOfItsWindow) {
  EXPECT_THAT(floats("lp_pool 1x1x1x4 kernel_shape=1,2 strides=1,2", {3, -4, 6, 8}),
              ElementsAre(FloatEq(5), FloatEq(10)));
  EXPECT_THAT(floats("lp_pool 1x1x3 kernel_shape=2 p=1 pads=1,0", {1, -2, 3}),
              ElementsAre(FloatEq(1), FloatEq(3), FloatEq(5)));
  EXPECT_THAT(floats("lp_pool 1x1x2 kernel_shape=2 p=3", {1, 2}), ElementsAre(FloatEq(2.0800838F)));
}

TEST(LpPool, TakesAWholeChannel) {
  EXPECT_THAT(floats("global_lp_pool 1x2x1x2", {3, -4, 6, 8}),
              ElementsAre(FloatEq(5), FloatEq(10)));
  EXPECT_EQ(shape("global_lp_pool 1x2x3x4x5x6"), (Shape{1, 2, 1, 1, 1, 1}));
  EXPECT_THAT(floats("global_lp_pool 1x1x2x2 p=1", {1, -2, 3, -4}), ElementsAre(FloatEq(10)));
}

TEST(LpPool, TakesTheFloatOfOpset1) {
  const Node node = node_of("GlobalLpPool", {{"p", 1.0F}});
  EXPECT_THAT(result_of(node, {float_tensor({1, 1, 2}, {1, -2})}, 1), ElementsAre(FloatEq(3)));
  EXPECT_THAT(
      refusal(node_of("GlobalLpPool", {{"p", 1.5F}}), {float_tensor({1, 1, 2}, {1, -2})}, 1),
      HasSubstr("p 1.5 is not an integer from 1 on"));
  EXPECT_THAT(
      refusal(node_of("GlobalLpPool", {{"p", int64_t{0}}}), {float_tensor({1, 1, 2}, {1, -2})}),
      HasSubstr("p 0 is not an integer from 1 on"));
}

TEST(LpPool, KeepsItsWindowInTheText) {
  const auto text = [](const std::string& from) { return text_of(parse_workload(from).value()); };
  EXPECT_EQ(text("lp_pool 1x1x4x4 kernel_shape=2,2 p=2 strides=1,1"),
            "lp_pool 1x1x4x4 kernel_shape=2,2");
  EXPECT_EQ(text("global_lp_pool 1x1x4x4 p=3"), "global_lp_pool 1x1x4x4 p=3");
}

}  // namespace
}  // namespace opbench
