#include "opbench/tune/tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "opbench/base/random.h"
#include "opbench/space/space_builder.h"

namespace opbench {
namespace {

ConfigSpace space_with(const std::vector<int64_t>& sizes) {
  SpaceBuilder builder;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<int64_t> values;
    for (int64_t v = 0; v < sizes[i]; ++v) values.push_back(v);
    builder.define_option("k" + std::to_string(i), values);
  }
  return *std::move(builder).finish();
}

std::unique_ptr<Tuner> make_tuner(const std::string& name, const ConfigSpace& space,
                                  uint64_t seed) {
  return (*tuner_table().find(name))->make(space, *size_of(space), seed);
}

using Score = std::function<double(uint64_t)>;

/// The points in the order in which they are given, `batch` at a time, until there are no more.
std::vector<uint64_t> all_points(Tuner& tuner, size_t batch, const Score& score) {
  std::vector<uint64_t> points;
  for (;;) {
    const std::vector<uint64_t> given = tuner.next(batch);
    if (given.empty()) return points;
    for (const uint64_t point : given) tuner.tell(point, score(point));
    points.insert(points.end(), given.begin(), given.end());
  }
}

double flat(uint64_t) { return 1; }

/// A hill over the digits with its top inside, 1 there.
Score hill_of(const ConfigSpace& space, uint64_t seed) {
  Random numbers(seed, "hill");
  std::vector<double> top;
  for (const Knob& knob : space.knobs) {
    top.push_back(numbers.uniform() * static_cast<double>(knob.entities.size() - 1));
  }
  return [&space, top](uint64_t point) {
    const std::vector<size_t> digits = *digits_of(space, point);
    double away = 0;
    for (size_t i = 0; i < digits.size(); ++i) {
      const double width = static_cast<double>(space.knobs[i].entities.size());
      const double far = (static_cast<double>(digits[i]) - top[i]) / width;
      away += far * far;
    }
    return 1e9 / (1 + 20 * away);
  };
}

/// How many points it takes to one whose score is within 3 % of the best.
size_t trials_to_top(const std::string& name, const ConfigSpace& space, uint64_t seed) {
  const Score hill = hill_of(space, seed);
  double best = 0;
  for (uint64_t i = 0; i < *size_of(space); ++i) best = std::max(best, hill(i));
  const auto tuner = make_tuner(name, space, seed);
  size_t trials = 0;
  for (;;) {
    const std::vector<uint64_t> given = tuner->next(8);
    if (given.empty()) return trials;
    for (const uint64_t point : given) {
      ++trials;
      const double score = hill(point);
      if (score >= 0.97 * best) return trials;
      tuner->tell(point, score);
    }
  }
}

class EveryTuner : public testing::TestWithParam<std::string> {};

TEST_P(EveryTuner, GivesEveryPointOnce) {
  for (const auto& sizes : std::vector<std::vector<int64_t>>{{1}, {7}, {5, 4, 3}, {20, 6, 7, 2}}) {
    const ConfigSpace space = space_with(sizes);
    const auto tuner = make_tuner(GetParam(), space, 3);
    std::vector<uint64_t> points = all_points(*tuner, 7, hill_of(space, 1));
    std::ranges::sort(points);
    std::vector<uint64_t> expected(*size_of(space));
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = i;
    EXPECT_EQ(points, expected);
    EXPECT_TRUE(tuner->next(1).empty());
  }
}

TEST_P(EveryTuner, GivesTheSamePointsForTheSameSeed) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto first = make_tuner(GetParam(), space, 11);
  const auto second = make_tuner(GetParam(), space, 11);
  EXPECT_EQ(all_points(*first, 4, flat), all_points(*second, 4, flat));
}

TEST_P(EveryTuner, DoesNotGiveWhatItWasTold) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto tuner = make_tuner(GetParam(), space, 5);
  std::set<uint64_t> told;
  for (uint64_t point = 0; point < 1680; point += 3) {
    tuner->tell(point, static_cast<double>(point));
    told.insert(point);
  }
  for (const uint64_t point : all_points(*tuner, 16, flat)) {
    EXPECT_TRUE(told.insert(point).second) << point;
  }
  EXPECT_EQ(told.size(), 1680);
}

TEST_P(EveryTuner, GoesOnWhenScoresComeLateAndInAnotherOrder) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto tuner = make_tuner(GetParam(), space, 5);
  std::vector<uint64_t> waiting;
  std::set<uint64_t> seen;
  for (;;) {
    const std::vector<uint64_t> given = tuner->next(5);
    for (const uint64_t point : given) EXPECT_TRUE(seen.insert(point).second);
    waiting.insert(waiting.end(), given.begin(), given.end());
    if (waiting.empty()) break;
    if (given.empty() || waiting.size() > 12) {
      tuner->tell(waiting.back(), 1);
      waiting.pop_back();
    }
  }
  EXPECT_EQ(seen.size(), 1680);
}

TEST_P(EveryTuner, TakesFailures) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto tuner = make_tuner(GetParam(), space, 5);
  EXPECT_EQ(all_points(*tuner, 9, [](uint64_t) { return 0.0; }).size(), 1680);
}

INSTANTIATE_TEST_SUITE_P(Tuners, EveryTuner, testing::ValuesIn(tuner_table().names()),
                         [](const auto& named) {
                           std::string name = named.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(GridsearchTuner, MovesTheFirstKnobFirst) {
  const ConfigSpace space = space_with({3, 2});
  EXPECT_EQ(all_points(*make_tuner("gridsearch", space, 0), 4, flat),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(RandomTuner, GivesOtherPointsForOtherSeeds) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  EXPECT_NE(make_tuner("random", space, 1)->next(20), make_tuner("random", space, 2)->next(20));
}

TEST(RandomTuner, GivesEachPointFirstAboutAsOften) {
  const ConfigSpace space = space_with({10});
  std::map<uint64_t, int> first;
  for (uint64_t seed = 0; seed < 2000; ++seed)
    ++first[make_tuner("random", space, seed)->next(1)[0]];
  for (const auto& [point, count] : first) EXPECT_NEAR(count, 200, 60) << point;
}

TEST(RandomTuner, TakesSpacesOfAnySize) {
  const ConfigSpace space = space_with({1000, 1000, 1000, 1000, 1000});
  const auto tuner = make_tuner("random", space, 1);
  std::set<uint64_t> seen;
  for (const uint64_t point : tuner->next(5000)) EXPECT_TRUE(seen.insert(point).second);
  EXPECT_EQ(seen.size(), 5000);
}

TEST(GaTuner, WaitsForItsGeneration) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto tuner = make_tuner("ga", space, 1);
  const std::vector<uint64_t> generation = tuner->next(1000);
  EXPECT_EQ(generation.size(), 100);
  EXPECT_TRUE(tuner->next(1).empty());
  for (const uint64_t point : generation) tuner->tell(point, 1);
  EXPECT_EQ(tuner->next(1000).size(), 100);
}

TEST(GaTuner, NeedsFewerTrialsThanRandomOnHills) {
  const ConfigSpace space = space_with({16, 14, 12, 10});
  std::vector<size_t> ga, random;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    ga.push_back(trials_to_top("ga", space, seed));
    random.push_back(trials_to_top("random", space, seed));
  }
  std::ranges::sort(ga);
  std::ranges::sort(random);
  EXPECT_LT(ga[4] + ga[5], random[4] + random[5]);
}

}  // namespace
}  // namespace opbench
