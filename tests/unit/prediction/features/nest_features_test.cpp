#include "prediction/features/nest_features.h"

#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

float log2p(double value) { return static_cast<float>(std::log2(value + 1)); }

/// for y < 6 in parallel: for k < 5: out[y] += a[5 * y + k] * b[k]
LoopNest product() {
  NestBuilder nest;
  nest.open(LoopKind::kParallel, {{"y", 6}});
  nest.open(LoopKind::kSerial, {{"k", 5}});
  nest.access("out", {{"y", 1}});
  nest.access("out", {{"y", 1}});
  nest.access("a", {{"y", 5}, {"k", 1}});
  nest.access("b", {{"k", 1}});
  nest.compute(1, 1);
  return std::move(nest).finish();
}

void append(std::vector<float>& features, const std::vector<float>& more) {
  features.insert(features.end(), more.begin(), more.end());
}

TEST(ItervarFeatures, AreThoseWorkedOutByHand) {
  const float minus = -1;  // L(-1)
  std::vector<float> expected;
  // y: extent 6, level 1, 6 iterations from the root, at most 30 under it; parallel is flag 8.
  append(expected, {log2p(6), 1, log2p(6), log2p(30)});
  append(expected, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  append(expected, {0, 0, 0});
  // stride, -1, count, reuse, growth of both by y: a_0, b_0, out_0 (stored), out_1 (loaded)
  append(expected, {log2p(5), minus, log2p(30), log2p(1), log2p(6), log2p(1)});
  append(expected, {0, minus, log2p(5), log2p(6), log2p(1), log2p(6)});
  append(expected, {log2p(1), minus, log2p(6), log2p(5), log2p(6), log2p(1)});
  append(expected, {log2p(1), minus, log2p(6), log2p(5), log2p(6), log2p(1)});
  // k: extent 5, level 2, 30 iterations from the root, 5 under it; serial is flag 9.
  append(expected, {log2p(5), 2, log2p(30), log2p(5)});
  append(expected, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
  append(expected, {log2p(1), log2p(1), 0});
  append(expected, {log2p(1), minus, log2p(5), log2p(1), 0, 0});
  append(expected, {log2p(1), minus, log2p(5), log2p(1), 0, 0});
  append(expected, {0, minus, log2p(1), log2p(5), 0, 0});
  append(expected, {0, minus, log2p(1), log2p(5), 0, 0});
  const std::vector<float> features = itervar_features(product());
  ASSERT_EQ(features.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_FLOAT_EQ(features[i], expected[i]) << i;
}

/// The figures that TVM states for a product of 128 x 128 matrices.
TEST(ItervarFeatures, AreTvmsOfAProductOfMatrices) {
  NestBuilder nest;
  nest.open(LoopKind::kSerial, {{"y", 128}});
  nest.open(LoopKind::kSerial, {{"x", 128}});
  nest.open(LoopKind::kSerial, {{"k", 128}});
  nest.access("C", {{"y", 128}, {"x", 1}});
  nest.access("C", {{"y", 128}, {"x", 1}});
  nest.access("A", {{"y", 128}, {"k", 1}});
  nest.access("B", {{"k", 128}, {"x", 1}});
  const std::vector<float> features = itervar_features(std::move(nest).finish());
  const size_t row = 4 + 11 + 3 + 4 * 6;
  ASSERT_EQ(features.size(), 3 * row);
  // Of y, x and k: the most iterations under it; then stride, count and reuse of A, B and C.
  const std::vector<std::vector<double>> stated = {
      {2097152, 128, 16384, 128, 0, 16384, 128, 128, 16384, 128},
      {16384, 0, 128, 128, 1, 16384, 1, 1, 128, 128},
      {128, 1, 128, 1, 128, 128, 1, 0, 1, 128}};
  for (size_t loop = 0; loop < 3; ++loop) {
    const float* const at = features.data() + loop * row;
    EXPECT_FLOAT_EQ(at[3], log2p(stated[loop][0]));
    for (size_t buffer = 0; buffer < 3; ++buffer) {
      const float* const touch = at + 18 + buffer * 6;
      const double* const wanted = stated[loop].data() + 1 + buffer * 3;
      EXPECT_FLOAT_EQ(touch[0], log2p(wanted[0])) << loop << buffer;
      EXPECT_FLOAT_EQ(touch[2], log2p(wanted[1])) << loop << buffer;
      EXPECT_FLOAT_EQ(touch[3], log2p(wanted[2])) << loop << buffer;
    }
  }
}

TEST(CurveFeatures, AreThoseWorkedOutByHand) {
  NestBuilder nest;
  nest.open(LoopKind::kSerial, {{"x", 4}});
  nest.open(LoopKind::kSerial, {{"k", 8}});
  nest.access("a", {{"k", 1}});
  const std::vector<float> features = curve_features(std::move(nest).finish());
  ASSERT_EQ(features.size(), 160);
  // Sorted doublings: count {0, 3, 3}, reuse {0, 0, 2}, from the root {0, 2, 5}.
  // Reuse where count was last at most 0, 1, 2, 3, …, and how much further that is.
  const std::vector<float> by_count = {0, 0, 0, 1, 0, 2, 2, 0, 2, 1};
  // Count where reuse was last at most 0, 1, 2, 3.
  const std::vector<float> by_reuse = {3, 0, 3, 1, 3, 0, 3, 1};
  for (size_t i = 0; i < by_count.size(); ++i) EXPECT_EQ(features[i], by_count[i]) << i;
  for (size_t i = 0; i < by_reuse.size(); ++i) EXPECT_EQ(features[40 + i], by_reuse[i]) << i;
  // From the root by count 19: 5, 16 further; count by 2 doublings from the root: 3, exactly there.
  EXPECT_EQ(features[80 + 38], 5);
  EXPECT_EQ(features[80 + 39], 16);
  EXPECT_EQ(features[120 + 4], 3);
  EXPECT_EQ(features[120 + 5], 0);
}

TEST(CurveFeatures, TakeOfEachBufferTheLastOfTheInnermostAccesses) {
  // a, b and out: `out_1` stands for both accesses of out.
  EXPECT_EQ(curve_features(product()).size(), 3 * 160);
}

TEST(LiteralStride, IsThatOfPartsThatLieOneBehindTheOther) {
  const std::vector<AxisStride> strides = {{"c", 48}, {"y", 12}, {"x", 1}};
  EXPECT_EQ(literal_stride({{"x", 7}}, strides), 1);
  EXPECT_EQ(literal_stride({{"k", 7}}, strides), 0);
  EXPECT_EQ(literal_stride({{"c", 3}, {"y", 4}}, strides), 12);
  EXPECT_EQ(literal_stride({{"c", 3}, {"y", 5}}, strides), 1);
  EXPECT_EQ(literal_stride({{"c", 3}, {"k", 5}}, strides), 1);
  EXPECT_EQ(literal_stride({{"c", 1}, {"y", 5}}, strides), 12);
  EXPECT_EQ(literal_stride({{"y", 1}}, strides), 0);
}

}  // namespace
}  // namespace opbench
