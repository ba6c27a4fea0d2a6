#include "engines/interference/overlap.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace opbench {
namespace {

using Turns = std::vector<CorunTurn>;

/// One turn after the other between these moments; those numbered are disturbed.
Turns turns_at(const std::vector<double>& marks, const std::set<size_t>& disturbed = {}) {
  Turns turns;
  for (size_t i = 0; i + 1 < marks.size(); ++i) {
    turns.push_back({marks[i], marks[i + 1], disturbed.contains(i)});
  }
  return turns;
}

TEST(Overlap, IsTheMeanOfAllTurnsAlone) {
  EXPECT_EQ(mean_alone(turns_at({10, 12, 14, 16}), 1), (TurnMean{2, 3}));
  EXPECT_EQ(mean_alone(turns_at({10, 12, 14, 16}), 4), (TurnMean{0.5, 12}));
}

TEST(Overlap, LeavesDisturbedTurnsOut) {
  EXPECT_EQ(mean_alone(turns_at({0, 2, 100, 102}, {1}), 1), (TurnMean{2, 2}));
  EXPECT_FALSE(mean_alone(turns_at({0, 2, 100, 102}, {1, 2}), 1));
}

TEST(Overlap, NeedsTwoTurns) {
  EXPECT_FALSE(mean_alone(Turns{}, 1));
  EXPECT_FALSE(mean_alone(turns_at({0, 1}), 1));
  EXPECT_FALSE(means_together({turns_at({0, 1, 2}), Turns{}}, {1, 1}));
}

TEST(Overlap, CountsTurnsOfBothOnlyWhileBothRan) {
  // The second comes later and stays longer: turns until 5 and after 16 are left out.
  const Turns first = turns_at({0, 4, 8, 12, 16});
  const Turns second = turns_at({5, 7, 9, 11, 13, 15, 17, 18, 19});
  const auto means = means_together({first, second}, {1, 10});
  ASSERT_TRUE(means);
  EXPECT_EQ((*means)[0], (TurnMean{4, 2}));     // 8 to 16
  EXPECT_EQ((*means)[1], (TurnMean{0.2, 50}));  // 5 to 15
}

TEST(Overlap, LeavesOutWhatOneMadeWhileTheOtherWasSwitchedOut) {
  // The second is away from 4 to 8: the first had its CPU's neighbour to itself then.
  const Turns first = turns_at({0, 2, 4, 5, 6, 7, 8, 10, 12});
  const Turns second = turns_at({0, 2, 4, 8, 10, 12}, {2});
  const auto means = means_together({first, second}, {1, 1});
  ASSERT_TRUE(means);
  EXPECT_EQ((*means)[0], (TurnMean{2, 4}));
  EXPECT_EQ((*means)[1], (TurnMean{2, 4}));
}

TEST(Overlap, TakesADisturbanceBetweenTurnsForOne) {
  const Turns first = {{0, 2}, {2, 4}, {4, 5}, {5, 6}, {6, 8}};
  const Turns second = {{0, 2}, {2, 4}, {6, 8, true}, {8, 10}, {10, 12}};
  const auto means = means_together({first, second}, {1, 1});
  ASSERT_TRUE(means);
  EXPECT_EQ((*means)[0], (TurnMean{2, 2}));  // 4 to 8 was the second's absence
}

TEST(Overlap, IsNothingWhereTheyRanOneAfterTheOther) {
  EXPECT_FALSE(means_together({turns_at({0, 1, 2, 3}), turns_at({4, 5, 6, 7})}, {1, 1}));
}

TEST(Overlap, IsNothingWhereATurnIsLongerThanTheOverlap) {
  EXPECT_FALSE(means_together({turns_at({0, 1, 2, 3}), turns_at({1.5, 9, 17})}, {1, 1}));
}

}  // namespace
}  // namespace opbench
