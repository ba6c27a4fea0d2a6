#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Trilu, KeepsATriangleOfEveryMatrix) {
  EXPECT_THAT(floats("trilu 2x3", count_up(6)), ElementsAre(1, 2, 3, 0, 5, 6));
  EXPECT_THAT(floats("trilu 2x3 upper=0", count_up(6)), ElementsAre(1, 0, 0, 4, 5, 0));
  EXPECT_THAT(floats("trilu 2x2x2", count_up(8)), ElementsAre(1, 2, 0, 4, 5, 6, 0, 8));
}

TEST(Trilu, ShiftsTheDiagonal) {
  EXPECT_THAT(floats("trilu 2x3 =1:int64", count_up(6)), ElementsAre(0, 2, 3, 0, 0, 6));
  EXPECT_THAT(floats("trilu 2x3 =-1:int64", count_up(6)), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(floats("trilu 2x3 =-1:int64 upper=0", count_up(6)), ElementsAre(0, 0, 0, 4, 0, 0));
  EXPECT_THAT(floats("trilu 1x2 =9223372036854775807:int64", count_up(2)), ElementsAre(0, 0));
}

TEST(Trilu, BearsMatricesWithoutElements) {
  EXPECT_THAT(floats("trilu 3x0", {}), ElementsAre());
  EXPECT_EQ(shape("trilu 2x0x4"), (Shape{2, 0, 4}));
}

TEST(Trilu, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("trilu 3"), HasSubstr("has rank 1, needs 2 or more"));
  const NodeOnTensors node(make_node("Trilu"),
                           {float_tensor({1, 1}, {1}), int_tensor({2}, {1, 1})});
  EXPECT_THAT(node.refusal(), HasSubstr("its k has 2 elements, not 1"));
}

TEST(Trilu, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("trilu 2x3 =1:int64 upper=1"), "trilu 2x3 =1:int64");
  EXPECT_EQ(normal_text("trilu 2x3 upper=0"), "trilu 2x3 upper=0");
}

}  // namespace
}  // namespace opbench
