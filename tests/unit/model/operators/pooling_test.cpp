#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Integers = std::vector<int64_t>;

TEST(MaxPool, GivesTheIndexOfTheFirstLargestElement) {
  const Node node = node_with("MaxPool", 1, 2, {{"kernel_shape", Integers{2, 2}}});
  const Tensor x = real_tensor({1, 2, 2, 3}, {1, 5, 5, 2, 3, 4, 9, 8, 9, 0, 0, 0});
  const auto results = results_of(node, {x}).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{5, 5, 9, 9}));
  EXPECT_EQ(integers(results[1]), (Integers{1, 1, 6, 8}));
}

TEST(MaxPool, CountsIndicesByColumnsWhenAskedTo) {
  const Node node =
      node_with("MaxPool", 1, 2, {{"kernel_shape", Integers{2, 2}}, {"storage_order", int64_t{1}}});
  const Tensor x = real_tensor({1, 2, 2, 3}, {1, 5, 5, 2, 3, 4, 9, 8, 9, 0, 0, 0});
  EXPECT_EQ(integers(results_of(node, {x}).value()[1]), (Integers{2, 2, 6, 10}));
  const Tensor line = real_tensor({1, 1, 3}, {1, 2, 3});
  const Node one =
      node_with("MaxPool", 1, 2, {{"kernel_shape", Integers{2}}, {"storage_order", int64_t{1}}});
  EXPECT_EQ(integers(results_of(one, {line}).value()[1]), (Integers{1, 2}));
}

TEST(MaxPool, LeavesAloneWhatNobodyReads) {
  Node node = node_with("MaxPool", 1, 2, {{"kernel_shape", Integers{2}}});
  node.outputs[0].clear();
  const auto results = results_of(node, {real_tensor({1, 1, 3}, {3, 1, 2})}).value();
  EXPECT_EQ(integers(results[1]), (Integers{0, 2}));
  node.outputs = {"y", ""};
  EXPECT_EQ(floats_of(results_of(node, {real_tensor({1, 1, 3}, {3, 1, 2})}).value()[0]),
            (Floats{3, 2}));
}

TEST(MaxPool, FindsTheLargestWhenAllAreInfinitelySmall) {
  const float least = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(floats("max_pool 1x1x2 kernel_shape=2", {least, least}), ElementsAre(least));
}

TEST(MaxPool, SlidesOverOneToThreeAxes) {
  EXPECT_THAT(floats("max_pool 1x1x5 kernel_shape=2 strides=2 ceil_mode=1", count_up(5)),
              ElementsAre(2, 4, 5));
  EXPECT_THAT(floats("max_pool 1x1x5 kernel_shape=2 dilations=3", {5, 1, 2, 3, 4}),
              ElementsAre(5, 4));
  EXPECT_THAT(floats("max_pool 1x1x2x2x2 kernel_shape=2,2,1", count_up(8)), ElementsAre(7, 8));
}

TEST(MaxPool, LeavesTheStorageOrderOutOfTextsWithoutIndices) {
  EXPECT_EQ(text_of(parse_workload("max_pool 1x1x4 kernel_shape=2 storage_order=1").value()),
            "max_pool 1x1x4 kernel_shape=2");
}

TEST(AveragePool, SlidesOverOneToThreeAxes) {
  EXPECT_THAT(floats("average_pool 1x1x5 kernel_shape=2 strides=2 ceil_mode=1", count_up(5)),
              ElementsAre(1.5F, 3.5F, 5));
  EXPECT_THAT(floats("average_pool 1x1x5 kernel_shape=2 dilations=3", count_up(5)),
              ElementsAre(2.5F, 3.5F));
  EXPECT_THAT(floats("average_pool 1x1x2x2x2 kernel_shape=2,2,1", count_up(8)), ElementsAre(4, 5));
}

TEST(AveragePool, CountsThePaddingWhenAskedTo) {
  const std::string padded = "average_pool 1x1x4 kernel_shape=3 pads=1,1 strides=2";
  EXPECT_THAT(floats(padded, {2, 4, 6, 8}), ElementsAre(3, 6));
  EXPECT_THAT(floats(padded + " count_include_pad=1", {2, 4, 6, 8}), ElementsAre(2, 6));
  EXPECT_THAT(floats(padded + " dilations=2 count_include_pad=1", {2, 4, 6, 8}), ElementsAre(4));
}

TEST(AveragePool, HasOneOutput) {
  const Node node = node_with("AveragePool", 1, 2, {{"kernel_shape", Integers{2}}});
  EXPECT_THAT(refusal_of(node, {real_tensor({1, 1, 3}, {3, 1, 2})}),
              HasSubstr("output 1 (\"y1\") is not supported"));
}

TEST(MaxUnpool, PutsElementsBack) {
  const Node node =
      node_with("MaxUnpool", 2, 1, {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}});
  const Tensor x = real_tensor({1, 1, 1, 2}, {5, 6});
  const auto results = results_of(node, {x, whole_tensor({1, 1, 1, 2}, {1, 6})}).value();
  EXPECT_EQ(results[0].type.shape, (Shape{1, 1, 2, 4}));
  EXPECT_EQ(floats_of(results[0]), (Floats{0, 5, 0, 0, 0, 0, 6, 0}));
}

TEST(MaxUnpool, KeepsCoordinatesInALargerResult) {
  const Node node =
      node_with("MaxUnpool", 3, 1, {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}});
  const Tensor x = real_tensor({1, 1, 1, 2}, {5, 6});
  const Tensor indices = whole_tensor({1, 1, 1, 2}, {1, 6});
  const auto results = results_of(node, {x, indices, whole_tensor({4}, {1, 1, 2, 5})}).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{0, 5, 0, 0, 0, 0, 0, 6, 0, 0}));
  EXPECT_THAT(refusal_of(node, {x, indices, whole_tensor({4}, {1, 1, 2, 3})}),
              HasSubstr("output_shape 1x1x2x3 does not hold 1x1x2x4"));
}

TEST(MaxUnpool, RefusesIndicesOutsideTheResult) {
  const Node node = node_with("MaxUnpool", 2, 1, {{"kernel_shape", Integers{2}}});
  const Tensor x = real_tensor({1, 1, 2}, {5, 6});
  EXPECT_THAT(refusal_of(node, {x, whole_tensor({1, 1, 2}, {0, 3})}),
              HasSubstr("index 3 is outside 3 elements"));
  EXPECT_THAT(refusal_of(node, {x, whole_tensor({1, 1, 2}, {-1, 0})}),
              HasSubstr("index -1 is outside 3 elements"));
  EXPECT_THAT(refusal_of(node, {x, whole_tensor({1, 1, 1}, {0})}),
              HasSubstr("indices 1x1x1 do not fit input 1x1x2"));
  EXPECT_THAT(refusal_of(node_with("MaxUnpool", 2, 1), {x, whole_tensor({1, 1, 2}, {0, 1})}),
              HasSubstr("kernel_shape is missing"));
}

TEST(MaxUnpool, HasAText) {
  const std::string text = "max_unpool 1x1x2 1x1x2:int64 kernel_shape=2 strides=2";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
  EXPECT_EQ(shape(text), (Shape{1, 1, 4}));
}

}  // namespace
}  // namespace opbench
