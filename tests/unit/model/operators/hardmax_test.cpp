#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(Hardmax, MarksTheFirstLargestElementAlongItsAxis) {
  EXPECT_THAT(floats("hardmax 2x3", {1, 5, 5, 7, 2, 3}), ElementsAre(0, 1, 0, 1, 0, 0));
  EXPECT_THAT(floats("hardmax 2x3 axis=0", {1, 5, 5, 7, 2, 3}), ElementsAre(0, 1, 1, 1, 0, 0));
}

TEST(Hardmax, LeavesTheDefaultAxisOutOfItsText) {
  EXPECT_EQ(text_of(parse_workload("hardmax 2x3 axis=1").value()), "hardmax 2x3");
  EXPECT_EQ(text_of(parse_workload("hardmax 2x3 axis=0").value()), "hardmax 2x3 axis=0");
}

TEST(Hardmax, RefusesAnAxisOutsideTheTensor) { EXPECT_FALSE(parse_workload("hardmax 2x3 axis=2")); }

}  // namespace
}  // namespace opbench
