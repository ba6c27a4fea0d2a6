#include "kernels/schedules/knobs/knob_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;

const Config kConfig{{"tile", 4}, {"none", 0}, {"below", -2}};

std::string reason(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(KnobValues, AreNumbersDivisorsAndDoublings) {
  EXPECT_THAT(numbers(2, 4), ElementsAre(2, 3, 4));
  EXPECT_THAT(numbers(2, 1), ElementsAre());
  EXPECT_THAT(divisors(12, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(doublings(8, 6), ElementsAre(1, 2, 4, 6, 8));
}

TEST(KnobValues, AreWithinARange) {
  EXPECT_EQ(reason(check_range(kConfig, "tile", 4, 4)), "");
  EXPECT_EQ(reason(check_range(kConfig, "none", 0, 3)), "");
  EXPECT_EQ(reason(check_range(kConfig, "tile", 1, 3, "the number of pixels")),
            "knob \"tile\" is 4, which does not lie within 1 to 3, the number of pixels");
  EXPECT_EQ(reason(check_range(kConfig, "below", 0, 3)),
            "knob \"below\" is -2, which does not lie within 0 to 3");
  EXPECT_EQ(reason(check_range(kConfig, "absent", 0, 3)), "knob \"absent\" is missing");
}

TEST(KnobValues, DivideAnExtent) {
  EXPECT_EQ(reason(check_divisor(kConfig, "tile", 12)), "");
  EXPECT_EQ(reason(check_divisor(kConfig, "tile", 10, "the number of channel blocks")),
            "knob \"tile\" is 4, which does not divide 10, the number of channel blocks");
  EXPECT_EQ(reason(check_divisor(kConfig, "none", 10)),
            "knob \"none\" is 0, which does not divide 10");
  EXPECT_EQ(reason(check_divisor(kConfig, "below", 10)),
            "knob \"below\" is -2, which does not divide 10");
  EXPECT_EQ(reason(check_divisor(kConfig, "absent", 10)), "knob \"absent\" is missing");
}

}  // namespace
}  // namespace opbench
