#include "opbench/nests/nest_features.h"

#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

float log2p(double value) { return static_cast<float>(std::log2(value + 1)); }

/// for y < 6 in parallel: out[y] = 0; for k < 5: out[y] += a[5 * y + k] * b[k]
LoopNest product() {
  NestBuilder nest;
  nest.open(LoopKind::kParallel, {{"y", 6}});
  nest.access("out", {{"y", 1}});
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
  // stride, -1, count, reuse, threads: a_0, b_0, out_0 (the zero), out_1 (stored), out_2 (loaded)
  append(expected, {log2p(5), minus, log2p(30), log2p(1), 0, 0});
  append(expected, {0, minus, log2p(5), log2p(6), 0, 0});
  append(expected, {log2p(1), minus, log2p(6), log2p(1), 0, 0});
  append(expected, {log2p(1), minus, log2p(6), log2p(5), 0, 0});
  append(expected, {log2p(1), minus, log2p(6), log2p(5), 0, 0});
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
  // a, b and out: `out_2` stands for all three accesses of out.
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
