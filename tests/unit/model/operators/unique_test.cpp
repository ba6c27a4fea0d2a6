#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Tensor> unique(const Tensor& x, Attributes attributes) {
  auto results = NodeOnTensors(make_node("Unique", std::move(attributes), 4), {x}).results();
  EXPECT_TRUE(results) << to_text(results.error());
  return *results;
}

TEST(Unique, SortsElementsAndSaysWhereAndHowOftenTheyWere) {
  const auto results = unique(float_tensor({2, 3}, {2, 1, 1, 3, 4, 3}), {});
  EXPECT_THAT(results[0].as<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(results[1].as<int64_t>(), ElementsAre(1, 0, 3, 4));
  EXPECT_THAT(results[2].as<int64_t>(), ElementsAre(1, 0, 0, 2, 3, 2));
  EXPECT_THAT(results[3].as<int64_t>(), ElementsAre(2, 1, 2, 1));
}

TEST(Unique, KeepsTheOrderOfAppearance) {
  const auto results = unique(float_tensor({6}, {2, 1, 1, 3, 4, 3}), {{"sorted", int64_t{0}}});
  EXPECT_THAT(results[0].as<float>(), ElementsAre(2, 1, 3, 4));
  EXPECT_THAT(results[1].as<int64_t>(), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(results[2].as<int64_t>(), ElementsAre(0, 1, 1, 2, 3, 2));
  EXPECT_THAT(results[3].as<int64_t>(), ElementsAre(1, 2, 2, 1));
}

TEST(Unique, ComparesPartsAlongAnAxis) {
  const auto rows = unique(float_tensor({3, 2}, {5, 2, 1, 9, 5, 2}), {{"axis", int64_t{0}}});
  EXPECT_EQ(rows[0].type.shape, (Shape{2, 2}));
  EXPECT_THAT(rows[0].as<float>(), ElementsAre(1, 9, 5, 2));
  EXPECT_THAT(rows[2].as<int64_t>(), ElementsAre(1, 0, 1));
  const auto columns = unique(float_tensor({2, 3}, {2, 1, 2, 3, 9, 3}), {{"axis", int64_t{-1}}});
  EXPECT_THAT(columns[0].as<float>(), ElementsAre(1, 2, 9, 3));
  EXPECT_THAT(columns[1].as<int64_t>(), ElementsAre(1, 0));
  EXPECT_THAT(columns[3].as<int64_t>(), ElementsAre(1, 2));
}

TEST(Unique, CountsNanOnceAndLast) {
  const auto results = unique(float_tensor({4}, {NAN, 1, NAN, 2}), {});
  EXPECT_THAT(results[0].as<float>().first(2), ElementsAre(1, 2));
  EXPECT_THAT(results[3].as<int64_t>(), ElementsAre(1, 1, 2));
}

TEST(Unique, BearsEmptyTensors) {
  const auto none = unique(float_tensor({0}, {}), {});
  for (const Tensor& result : none) EXPECT_EQ(result.type.shape, (Shape{0}));
  const auto rows = unique(float_tensor({3, 0}, {}), {{"axis", int64_t{0}}});
  EXPECT_EQ(rows[0].type.shape, (Shape{1, 0}));
  EXPECT_THAT(rows[3].as<int64_t>(), ElementsAre(3));
}

TEST(Unique, GivesAsManyOutputsAsTheNodeHas) {
  const NodeOnTensors node(make_node("Unique", {}, 2), {float_tensor({2}, {1, 1})});
  EXPECT_EQ(node.types().value().size(), 2U);
  EXPECT_THAT(floats("unique =3,1,3", {}), ElementsAre(1, 3));
}

TEST(Unique, NeedsItsDataBeforeTheRun) {
  EXPECT_THAT(refusal_of("unique 3"), HasSubstr("its data (operand 0) must be known"));
  EXPECT_THAT(refusal_of("unique =1,2 axis=1"), HasSubstr("axis 1 is outside rank 1"));
}

TEST(Unique, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("unique =1,2 axis=0 sorted=1"), "unique =1,2");
  EXPECT_EQ(normal_text("unique =1,2 sorted=0"), "unique =1,2 sorted=0");
}

}  // namespace
}  // namespace opbench
