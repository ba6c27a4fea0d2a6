#include "presentation/web/series/series_marks.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

std::vector<Json> points_of(const std::vector<double>& times) {
  std::vector<Json> points;
  for (size_t i = 0; i < times.size(); ++i) {
    const double wobble = 1 + 0.001 * (i % 3 == 0 ? 1 : -1);
    points.push_back({{"ms", times[i] * wobble},
                      {"surroundings", i < 12 ? "one" : "two"},
                      {"method", "m"},
                      {"is_hash", false}});
  }
  return points;
}

TEST(SeriesMarks, FindAStepWhereItIs) {
  std::vector<double> times(24, 1.0);
  for (size_t i = 14; i < times.size(); ++i) times[i] = 1.06;
  const SeriesMarks marks = marks_of(points_of(times));
  ASSERT_EQ(marks.segments.size(), 2U);
  EXPECT_EQ(marks.segments[1].from, 14U);
  const Json changes = changes_json(marks);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(changes[0]["change_pct"].get<double>(), 6, 0.5);
}

TEST(SeriesMarks, FindNoneInNoise) {
  EXPECT_EQ(marks_of(points_of(std::vector<double>(24, 2.0))).segments.size(), 1U);
  EXPECT_TRUE(marks_of(points_of({1.0})).segments.empty());
  EXPECT_TRUE(marks_of({}).segments.empty());
}

TEST(SeriesMarks, SayWhereSurroundingsChange) {
  const Json breaks = breaks_json(points_of(std::vector<double>(24, 2.0)));
  ASSERT_EQ(breaks.size(), 1U);
  EXPECT_EQ(breaks[0]["at"], 12);
  EXPECT_EQ(breaks[0]["text"], "one → two");
}

}  // namespace
}  // namespace opbench
