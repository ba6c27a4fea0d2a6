#include "engines/runtime/step_order.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StepOrder, RunsStepsOneAfterTheOther) {
  const StepOrder order = StepOrder::sequential(4);
  ASSERT_EQ(order.size(), 4);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(order.ends_before(i, j), i < j) << i << " " << j;
  }
}

TEST(StepOrder, FollowsWaitsOfWaits) {
  const StepOrder order = StepOrder::of({{}, {0}, {0}, {1}});
  EXPECT_TRUE(order.ends_before(0, 3)) << "through step 1";
  EXPECT_FALSE(order.ends_before(2, 3));
  EXPECT_FALSE(order.ends_before(1, 2));
  EXPECT_FALSE(order.ends_before(2, 1));
  EXPECT_FALSE(order.ends_before(1, 1)) << "a step does not end before itself";
}

TEST(StepOrder, NamesOnlyWaitsThatOthersDoNotImply) {
  const StepOrder order = StepOrder::of({{}, {0}, {0, 1}, {0, 1}, {0, 1, 2, 3}});
  const StepWaits waits = waits_of(order);
  EXPECT_THAT(waits, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1), ElementsAre(1),
                                 ElementsAre(2, 3)));
  const StepOrder again = StepOrder::of(waits);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      EXPECT_EQ(again.ends_before(i, j), order.ends_before(i, j)) << i << " " << j;
    }
  }
}

TEST(StepOrder, LetsStepsOfAGroupRunTogetherUnlessTheyNeedEachOther) {
  // 0 -> 1; 2 and 3 of the next group, 3 needs 2.
  const StepWaits waits = waits_of_groups({{}, {0}, {0}, {2}}, {0, 0, 1, 1});
  const StepOrder order = StepOrder::of(waits);
  EXPECT_TRUE(order.ends_before(0, 1));
  EXPECT_TRUE(order.ends_before(1, 2)) << "of an earlier group";
  EXPECT_TRUE(order.ends_before(2, 3));
  EXPECT_FALSE(StepOrder::of(waits_of_groups({{}, {}}, {0, 0})).ends_before(0, 1));
  EXPECT_THAT(waits_of_groups({{}, {}}, {0, 1}), ElementsAre(ElementsAre(), ElementsAre(0)));
}

}  // namespace
}  // namespace opbench
