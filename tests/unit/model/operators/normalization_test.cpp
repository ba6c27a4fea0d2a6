#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto normalization_near(const Floats& values) { return Pointwise(FloatNear(1e-5F), values); }

std::string normalization_refusal(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

TEST(GroupNormalization, HasAScaleForEveryChannel) {
  // Two groups of two channels, each of mean 1 and variance 1.
  const Floats data{0, 2, 2, 0, 2, 2, 0, 0, 1, 10, 100, 1000, 0, 1, 2, 3};
  EXPECT_THAT(floats("group_norm 1x4x2 w:4 w:4 epsilon=0 num_groups=2", data),
              normalization_near({-1, 1, 11, -9, 102, 102, -997, -997}));
}

TEST(GroupNormalization, HasAScaleForEveryGroupInOpset18) {
  const Floats data{0, 2, 2, 0, 2, 2, 0, 0, 1, 10, 0, 5};
  EXPECT_THAT(floats("group_norm 1x4x2 w:2 w:2 epsilon=0 num_groups=2", data),
              normalization_near({-1, 1, 1, -1, 15, 15, -5, -5}));
}

TEST(GroupNormalization, RefusesWhatDoesNotFit) {
  EXPECT_THAT(normalization_refusal("group_norm 1x4x2 w:4 w:4 num_groups=3"),
              HasSubstr("3 groups do not divide 4 channels"));
  EXPECT_THAT(normalization_refusal("group_norm 1x4x2 w:4 w:4"), HasSubstr("0 groups"));
  EXPECT_THAT(normalization_refusal("group_norm 1x4x2 w:3 w:3 num_groups=2"),
              HasSubstr("scale 3 and bias 3 do not fit 4 channels in 2 groups"));
  EXPECT_THAT(normalization_refusal("group_norm 1x4x2 w:4 w:2 num_groups=2"),
              HasSubstr("scale 4 and bias 2"));
}

TEST(GroupNormalization, BearsAnEmptyTensor) {
  EXPECT_TRUE(floats("group_norm 0x4x2 w:4 w:4 num_groups=2", {}).empty());
}

TEST(GroupNormalization, HasAText) {
  const std::string text = "group_norm 1x4x2 w:4 w:4 num_groups=2";
  EXPECT_EQ(text_of(parse_workload(text + " epsilon=1e-5").value()), text);
  EXPECT_EQ(flops_of(parse_workload(text).value()), 7 * 8);
}

TEST(RmsNormalization, DividesByTheRootMeanSquare) {
  EXPECT_THAT(floats("rms_norm 2x2 w:2 epsilon=0", {1, 7, 3, 3, 1, 2}),
              normalization_near({0.2F, 2.8F, 1, 2}));
  EXPECT_THAT(floats("rms_norm 2x2 w:2x1 epsilon=0 axis=0", {2, 2, 2, 2, 1, 3}),
              normalization_near({1, 1, 3, 3}));
  EXPECT_THAT(floats("rms_norm 1x2 w:1 epsilon=9", {4, 4, 10}), normalization_near({8, 8}));
}

TEST(RmsNormalization, RefusesAScaleThatDoesNotFit) {
  EXPECT_THAT(normalization_refusal("rms_norm 2x2 w:2x2"),
              HasSubstr("scale or bias does not fit 2x2"));
  EXPECT_THAT(normalization_refusal("rms_norm 2x2 w:2 axis=2"),
              HasSubstr("axis 2 is outside rank 2"));
}

TEST(RmsNormalization, HasAText) {
  EXPECT_EQ(text_of(parse_workload("rms_norm 2x3 w:3 axis=1").value()), "rms_norm 2x3 w:3");
  EXPECT_EQ(text_of(parse_workload("rms_norm 2x3 w:3 axis=-2").value()), "rms_norm 2x3 w:3 axis=0");
  EXPECT_TRUE(floats("rms_norm 0x3 w:3", {}).empty());
  EXPECT_TRUE(floats("rms_norm 3x0 w:1", {}).empty());
}

TEST(Gelu, HasAnApproximationByTheHyperbolicTangent) {
  const Floats x{-1, 0, 2};
  EXPECT_THAT(floats("gelu 3 approximate=tanh", x), normalization_near({-0.158808F, 0, 1.954598F}));
  EXPECT_THAT(floats("gelu 3", x), normalization_near({-0.158655F, 0, 1.954500F}));
  EXPECT_EQ(text_of(parse_workload("gelu 3 approximate=tanh").value()), "gelu 3 approximate=tanh");
  EXPECT_EQ(text_of(parse_workload("gelu 3 approximate=none").value()), "gelu 3");
  EXPECT_THAT(normalization_refusal("gelu 3 approximate=sigmoid"),
              HasSubstr("unknown approximate"));
}

TEST(Swish, IsItsArgumentTimesASigmoid) {
  const float sigmoid = 1 / (1 + std::exp(-2.0F));
  EXPECT_THAT(floats("swish 3", {0, 2, -2}),
              normalization_near({0, 2 * sigmoid, -2 * (1 - sigmoid)}));
  EXPECT_THAT(floats("swish 1 alpha=2", {1}), normalization_near({sigmoid}));
  EXPECT_EQ(text_of(parse_workload("swish 1 alpha=2").value()), "swish 1 alpha=2");
  EXPECT_EQ(text_of(parse_workload("swish 1 alpha=1").value()), "swish 1");
}

}  // namespace
}  // namespace opbench
