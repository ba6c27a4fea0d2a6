#include "base/numbers/divisors.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Divisors, RoundsPartsUp) {
  EXPECT_EQ(ceil_div(0, 4), 0);
  EXPECT_EQ(ceil_div(8, 4), 2);
  EXPECT_EQ(ceil_div(9, 4), 3);
}

TEST(Divisors, AreListedOnceAscending) {
  EXPECT_THAT(divisors_of(1), ElementsAre(1));
  EXPECT_THAT(divisors_of(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(divisors_of(36), ElementsAre(1, 2, 3, 4, 6, 9, 12, 18, 36));
  EXPECT_THAT(divisors_of(0), IsEmpty());
}

TEST(Divisors, KeepToALimit) {
  EXPECT_EQ(largest_divisor(56, 16), 14);
  EXPECT_EQ(largest_divisor(7, 16), 7);
  EXPECT_EQ(largest_divisor(13, 12), 1);
  EXPECT_EQ(largest_divisor(12, 0), 1);
  EXPECT_EQ(power_of_two_dividing(24, 16), 8);
  EXPECT_EQ(power_of_two_dividing(7, 8), 1);
}

TEST(Divisors, DoubleTheMiddlePartWhileHalvesAreLeft) {
  EXPECT_EQ(middle_part(4), 1);
  EXPECT_EQ(middle_part(64), 16);
  EXPECT_EQ(middle_part(24), 8);
  EXPECT_EQ(middle_part(7), 1);
}

}  // namespace
}  // namespace opbench
