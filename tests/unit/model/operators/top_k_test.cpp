#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TopK, GivesTheLargestInOrderAndWhereTheyWere) {
  const NodeOnTensors node(make_node("TopK", {}, 2),
                           {float_tensor({2, 4}, {3, 9, 9, 1, 5, 6, 7, 8}), int_tensor({1}, {3})});
  const auto results = node.results();
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT((*results)[0].as<float>(), ElementsAre(9, 9, 3, 8, 7, 6));
  EXPECT_THAT((*results)[1].as<int64_t>(), ElementsAre(1, 2, 0, 3, 2, 1));
}

TEST(TopK, GivesTheSmallestAlongAnyAxis) {
  EXPECT_THAT(floats("top_k 3x2 =2,:int64 axis=0 largest=0", {3, 1, 2, 9, 1, 5}),
              ElementsAre(1, 1, 2, 5));
  EXPECT_EQ(shape("top_k 5x6x7 =4,:int64 axis=-2"), (Shape{5, 4, 7}));
}

TEST(TopK, PutsNanAboveAllNumbers) {
  const Floats values = floats("top_k 3 =3,:int64 largest=0", {NAN, 2, 1});
  EXPECT_THAT(std::span(values).first(2), ElementsAre(1, 2));
  EXPECT_TRUE(std::isnan(values[2]));
}

/// The first `count` of a sorted line, equal values in the order of their places.
std::vector<int64_t> sorted_places(const Floats& line, size_t count, bool is_largest) {
  std::vector<int64_t> places(line.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, [&](int64_t a, int64_t b) {
    const float x = line[static_cast<size_t>(a)], y = line[static_cast<size_t>(b)];
    return is_largest ? x > y : x < y;
  });
  places.resize(count);
  return places;
}

TEST(TopK, OrdersLongLinesOfManyEqualValues) {
  Floats line;
  for (int i = 0; i < 1000; ++i) line.push_back(static_cast<float>(i * 37 % 101 - 50));
  for (const int64_t count : {1, 2, 16, 17, 100, 999}) {
    for (const int64_t largest : {0, 1}) {
      const auto k = static_cast<size_t>(count);
      const NodeOnTensors node(make_node("TopK", {{"largest", largest}}, 2),
                               {float_tensor({1000}, line), int_tensor({1}, {count})});
      const auto results = node.results();
      ASSERT_TRUE(results) << to_text(results.error());
      EXPECT_THAT((*results)[1].as<int64_t>(),
                  ::testing::ElementsAreArray(sorted_places(line, k, largest == 1)));
    }
  }
}

TEST(TopK, OrdersColumnsAsLines) {
  Floats data;
  for (int i = 0; i < 3 * 40 * 37; ++i) data.push_back(static_cast<float>(i * 7919 % 211));
  for (const std::string k : {"1", "3", "20"}) {
    EXPECT_EQ(floats("top_k 3x40x37 =" + k + ",:int64 axis=1", data),
              floats("transpose 3x37x" + k + " perm=0,2,1",
                     floats("top_k 3x37x40 =" + k + ",:int64",
                            floats("transpose 3x40x37 perm=0,2,1", data))));
  }
}

TEST(TopK, TakesNothingAndAll) {
  EXPECT_THAT(floats("top_k 3 =0,:int64", {1, 2, 3}), ElementsAre());
  EXPECT_THAT(floats("top_k 3 =3,:int64", {1, 2, 3}), ElementsAre(3, 2, 1));
  EXPECT_EQ(shape("top_k 0x3 =2,:int64"), (Shape{0, 2}));
}

TEST(TopK, WritesOnlyTheOutputThatIsRead) {
  const NodeOnTensors node(make_node("TopK", {}, 2),
                           {float_tensor({3}, {1, 3, 2}), int_tensor({1}, {1})});
  Tensor where = Tensor::empty({DataType::kInt64, {1}});
  ASSERT_TRUE(
      node.run_into({{{DataType::kFloat32, {1}}, nullptr}, {where.type, where.data.data()}}));
  EXPECT_THAT(where.as<int64_t>(), ElementsAre(1));
}

TEST(TopK, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("top_k 2x3 =2,:int64 axis=1 largest=1 sorted=1"), "top_k 2x3 =2,:int64");
  EXPECT_EQ(normal_text("top_k 2x3 =2,:int64 axis=-2 largest=0"),
            "top_k 2x3 =2,:int64 axis=0 largest=0");
}

TEST(TopK, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("top_k 2x3 =4,:int64"), HasSubstr("k 4 is not within extent 3"));
  EXPECT_THAT(refusal_of("top_k 2x3 =-1,:int64"), HasSubstr("k -1 is not within extent 3"));
  EXPECT_THAT(refusal_of("top_k 2x3 =1,1:int64"), HasSubstr("its k has 2 elements, not 1"));
  EXPECT_THAT(refusal_of("top_k 2x3 1:int64"), HasSubstr("must be known before the run"));
  EXPECT_THAT(refusal_of("top_k scalar =1,:int64"), HasSubstr("axis -1 is outside rank 0"));
}

TEST(TopK, HasItsCountAsAnAttributeInOpset1) {
  const NodeOnTensors node(make_node("TopK", {{"k", int64_t{2}}}), {float_tensor({3}, {1, 3, 2})},
                           1);
  EXPECT_THAT(node.floats(), ElementsAre(3, 2));
  std::map<std::string, Tensor> constants;
  const Node modern = node.definition().modern_form(node.call(), constants);
  EXPECT_FALSE(modern.attributes.contains("k"));
  ASSERT_EQ(modern.inputs.size(), 2U);
  EXPECT_EQ(integers(constants.at(modern.inputs[1])), (Shape{2}));
}

}  // namespace
}  // namespace opbench
