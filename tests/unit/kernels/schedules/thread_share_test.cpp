#include "kernels/schedules/knobs/thread_share.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(BusiestShare, IsOneWhereAllThreadsEndTogether) {
  EXPECT_DOUBLE_EQ(busiest_share({3, 1, 2, 2}, 1), 1);
  EXPECT_DOUBLE_EQ(busiest_share({2, 2, 2, 2}, 2), 1);
  EXPECT_DOUBLE_EQ(busiest_share({}, 2), 1);
}

TEST(BusiestShare, CountsThreadsThatWaitForTheLast) {
  EXPECT_DOUBLE_EQ(busiest_share({1, 1, 1}, 2), 4.0 / 3);
  EXPECT_DOUBLE_EQ(busiest_share({1, 1}, 4), 2);
}

TEST(BusiestShare, HasThreadsHelpOthersOneTaskAtATime) {
  // Of the first one's three each makes one after 4, the second having ended its own.
  EXPECT_DOUBLE_EQ(busiest_share({4, 4, 4, 1, 1, 2}, 2), 1);
  // Three long ones are left after 4: two at a time, then one alone.
  EXPECT_DOUBLE_EQ(busiest_share({4, 4, 4, 4, 1, 1, 1, 1}, 2), 12.0 / 10);
}

TEST(TilesOfParts, LeavesTheLastPartFewer) {
  EXPECT_THAT(tiles_of_parts(13, 4), ElementsAre(4, 4, 4, 1));
  EXPECT_THAT(tiles_of_parts(12, 4), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(tiles_of_parts(9, 4), ElementsAre(3, 3, 3)) << "parts of three need no fourth";
}

TEST(EvenParts, AreTheFewestThatThreadsShareEvenly) {
  EXPECT_EQ(even_parts(13, 2, 1, 13, 2), 1) << "a panel each";
  EXPECT_EQ(even_parts(13, 1, 1, 13, 1), 1);
  EXPECT_EQ(even_parts(523, 1, 1, 64, 2), 2);
  EXPECT_EQ(even_parts(19, 21, 1, 19, 2), 2) << "of 21 panels one thread would have one more";
}

TEST(EvenParts, AreNoFewerThanAsked) {
  EXPECT_EQ(even_parts(12, 1, 4, 12, 2), 4);
  EXPECT_EQ(even_parts(5, 3, 5, 5, 2), 5);
}

}  // namespace
}  // namespace opbench
