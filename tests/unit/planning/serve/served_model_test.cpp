#include "planning/serve/served_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/numbers/random.h"
#include "random_serving.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TimedGraph chain_of(const std::vector<double>& times_ms) {
  TimedGraph timed{.times = {.teams = {1, 2}}};
  for (const double ms : times_ms) timed.add({}, {.times_ms = {ms, 0.6 * ms}});
  return timed;
}

TEST(CutIntoSegments, KeepsEveryUnitAndItsTimesOnce) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> times_ms(1 + random.below(60));
    for (double& ms : times_ms) ms = 0.01 + random.uniform();
    const int most = 1 + static_cast<int>(random.below(20));
    const ServedModel model = cut_into_segments("m", chain_of(times_ms), most);
    EXPECT_EQ(model.segments.size(), std::min(times_ms.size(), static_cast<size_t>(most)));
    size_t next = 0;
    for (const Segment& segment : model.segments) {
      EXPECT_EQ(segment.first_unit, next);
      ASSERT_GE(segment.units, 1u);
      double sum = 0;
      for (size_t i = 0; i < segment.units; ++i) sum += times_ms[next + i];
      EXPECT_NEAR(segment.times_ms[0], sum, 1e-12);
      EXPECT_NEAR(segment.times_ms[1], 0.6 * sum, 1e-12);
      next += segment.units;
    }
    EXPECT_EQ(next, times_ms.size());
  }
}

TEST(CutIntoSegments, MakesThemAboutEquallyLong) {
  const ServedModel model = cut_into_segments("m", chain_of(std::vector<double>(100, 0.1)), 16);
  ASSERT_EQ(model.segments.size(), 16u);
  for (const Segment& segment : model.segments) {
    EXPECT_GE(segment.units, 6u);
    EXPECT_LE(segment.units, 7u);
  }
}

TEST(WithLongerSegments, JoinsNeighboursUntilEachIsLongEnough) {
  const ServedModel model = cut_into_segments("m", chain_of({1, 1, 10, 1, 1, 3, 1}), 7);
  const ServedModel longer = with_longer_segments(model, 2.9);  // of 0.6 × the time of one worker
  std::vector<size_t> first, units;
  for (const Segment& segment : longer.segments) {
    first.push_back(segment.first_unit);
    units.push_back(segment.units);
  }
  EXPECT_EQ(first, (std::vector<size_t>{0, 3}));
  EXPECT_EQ(units, (std::vector<size_t>{3, 4}));
  EXPECT_DOUBLE_EQ(longer.segments[0].times_ms[0], 12);
  EXPECT_DOUBLE_EQ(longer.segments[1].times_ms[1], 0.6 * 6);
}

TEST(WithLongerSegments, LeavesWhatIsLongEnoughAndWhatIsOne) {
  const ServedModel model = cut_into_segments("m", chain_of({1, 1, 1}), 3);
  EXPECT_EQ(with_longer_segments(model, 0.5), model);
  EXPECT_EQ(with_longer_segments(model, 100).segments.size(), 1u);
}

TEST(CutIntoSegments, LeavesALongUnitByItself) {
  const ServedModel model = cut_into_segments("m", chain_of({1, 10, 1, 1, 1}), 4);
  std::vector<size_t> units;
  for (const Segment& segment : model.segments) units.push_back(segment.units);
  EXPECT_EQ(units.size(), 4u);
  EXPECT_EQ(units[1], 1u);
}

/// The least sum of squares of `count` runs of these times, by trying all cuts.
double least_squares(const std::vector<double>& times_ms, size_t from, size_t count) {
  double ms = 0, best = std::numeric_limits<double>::infinity();
  for (size_t end = from + 1; end <= times_ms.size(); ++end) {
    ms += times_ms[end - 1];
    if (count == 1 && end < times_ms.size()) continue;
    const double rest = count == 1 ? 0 : least_squares(times_ms, end, count - 1);
    best = std::min(best, ms * ms + rest);
  }
  return best;
}

TEST(CutIntoSegments, EqualsTheBestOfAllCuts) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> times_ms(4 + random.below(7));
    for (double& ms : times_ms) ms = 0.01 + random.uniform();
    const size_t count = 1 + random.below(4);
    double squares = 0;
    for (const Segment& segment :
         cut_into_segments("m", chain_of(times_ms), static_cast<int>(count)).segments) {
      squares += segment.times_ms[0] * segment.times_ms[0];
    }
    EXPECT_NEAR(squares, least_squares(times_ms, 0, count), 1e-9);
  }
}

TEST(CheckServing, NamesWhatIsWrong) {
  const ServingSystem right = random_serving({}, 1);
  EXPECT_TRUE(check_serving(right));

  ServingSystem system = right;
  system.models[1].segments[2].times_ms[1] = 0;
  auto checked = check_serving(system);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(checked.error().message, HasSubstr("segment 2 of \"model1\""));

  system = right;
  system.models[0].segments.clear();
  EXPECT_THAT(check_serving(system).error().message, HasSubstr("\"model0\" has no segments"));
  system.models.clear();
  EXPECT_THAT(check_serving(system).error().message, HasSubstr("no model"));

  for (const std::vector<int>& teams : {std::vector<int>{}, {2}, {1, 1}, {1, 3}}) {
    system = right;
    system.teams = teams;
    EXPECT_FALSE(check_serving(system)) << ::testing::PrintToString(teams);
  }
}

TEST(RestTimes, AreSumsOfWhatFollows) {
  const ServingSystem system = random_serving({.segments = 4}, 3);
  const RestTimes rests(system);
  for (size_t model = 0; model < 2; ++model) {
    for (size_t team = 0; team < 2; ++team) {
      double sum = 0;
      for (size_t i = 4; i-- > 0;) {
        sum += system.models[model].segments[i].times_ms[team];
        EXPECT_NEAR(rests.rest_ms(model, i, team), sum, 1e-12);
      }
      EXPECT_EQ(rests.rest_ms(model, 4, team), 0);
    }
    EXPECT_EQ(rests.fastest_ms(model, 1),
              std::min(rests.rest_ms(model, 1, 0), rests.rest_ms(model, 1, 1)));
  }
}

TEST(Capacity, IsThatOfWorkersThatNeverWait) {
  ServingSystem system{.workers = 2,
                       .teams = {1, 2},
                       .models = {{"a", {{.times_ms = {4, 3}}}}, {"b", {{.times_ms = {2, 0.8}}}}}};
  // 4 ms of a worker for a, 1.6 for b by both; a mean query takes 2.8 of two workers.
  EXPECT_DOUBLE_EQ(capacity_per_ms(system), 2 / 2.8);
  EXPECT_DOUBLE_EQ(solo_ms(system, 0), 3);
}

}  // namespace
}  // namespace opbench
