#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers/random.h"
#include "watching/detectors/detector.h"
#include "watching/detectors/l1_segments.h"
#include "watching/detectors/robust_sd.h"
#include "watching/detectors/two_sample_tests.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNoise = 0.005;

/// Levels around 0, around `size` from night `at` on, where the kernel was rebuilt.
std::vector<LevelPoint> stepped(int nights, int at, double size, uint64_t seed) {
  Random random(seed);
  std::vector<LevelPoint> points;
  for (int night = 0; night < nights; ++night) {
    points.push_back(
        {.night = night,
         .level = kNoise * static_cast<double>(random.normal()) + (night >= at ? size : 0),
         .is_rebuilt = night == at});
  }
  return points;
}

LevelView view_of(const std::vector<LevelPoint>& points) {
  return {.points = points, .noise = kNoise};
}

/// Nights after a step after which a detector is sure of it.
int nights_needed(const DetectorDef& detector) {
  if (detector.name == "perfherder") return 13;
  return detector.name == "hash" || detector.name == "lookback" ? 1 : 6;
}

TEST(Detectors, FindAClearStepWhereItIs) {
  for (const DetectorDef& detector : detector_table().all()) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const auto points = stepped(30 + nights_needed(detector), 30, 0.10, seed);
      const auto steps = detector.find(view_of(points));
      ASSERT_FALSE(steps.empty()) << detector.name << " seed " << seed;
      const auto best = std::ranges::max_element(
          steps, {}, [](const LevelStep& step) { return std::abs(step.size); });
      EXPECT_NEAR(static_cast<double>(best->at), 30, detector.name == "vote" ? 1 : 0)
          << detector.name << " seed " << seed;
      EXPECT_NEAR(best->size, 0.10, 0.015) << detector.name;
      EXPECT_GE(best->z, detector.sure) << detector.name;
    }
  }
}

TEST(Detectors, AreSilentWhereNothingChanges) {
  for (const DetectorDef& detector : detector_table().all()) {
    int sure = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      const auto points = stepped(36, 34, 0, seed);
      for (const LevelStep& step : detector.find(view_of(points))) sure += step.z >= detector.sure;
    }
    // E-divisive takes the best of all splits and tests it as if it were the only one.
    EXPECT_LE(sure, detector.name == "ediv" ? 10 : 4) << detector.name;
  }
}

TEST(HashDetector, SeesNothingWithoutARebuild) {
  auto points = stepped(31, 30, 0.10, 1);
  points[30].is_rebuilt = false;
  EXPECT_THAT(detector_table().find(kHashDetector).value()->find(view_of(points)), IsEmpty());
}

TEST(HashDetector, BelievesTheNearerOfTwoNights) {
  auto points = stepped(32, 30, 0.10, 1);
  points[30].level = 0.50;
  points[31].level = 0.02;
  const auto steps = detector_table().find(kHashDetector).value()->find(view_of(points));
  ASSERT_EQ(steps.size(), 1);
  EXPECT_NEAR(steps[0].size, 0.02, 0.005);
  points[31].level = -0.02;
  EXPECT_EQ(detector_table().find(kHashDetector).value()->find(view_of(points))[0].size, 0);
}

TEST(HashDetector, TrustsCarriedLevelsLess) {
  auto points = stepped(31, 30, 0.05, 1);
  const double sure = detector_table().find(kHashDetector).value()->find(view_of(points))[0].z;
  points[30].boundary_sd = 0.05;
  EXPECT_LT(detector_table().find(kHashDetector).value()->find(view_of(points))[0].z, sure / 5);
}

TEST(L1Segments, AreTheBestFit) {
  const std::vector<double> values = {1, 1, 1, 5, 5, 5, 2, 2};
  EXPECT_THAT(l1_segments(values, 0.5, 2), ElementsAre(3, 6));
  EXPECT_THAT(l1_segments(values, 100, 2), IsEmpty());
  EXPECT_EQ(l1_cost(values), 3 * 1 + 3 * 3);
}

TEST(RobustSd, LeavesOutliersOut) {
  EXPECT_NEAR(robust_sd(std::vector<double>{1, 2, 3, 4, 100}), 1.4826, 1e-9);
}

/// How often a test of 5 % says that equal sets differ, and that different ones do.
TEST(TwoSampleTests, KeepTheirLevelAndSeeDifferences) {
  size_t number = 0;
  for (const TwoSampleTest test : two_sample_tests()) {
    int false_alarms = 0, found = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      Random random(seed);
      std::vector<double> a, b, c;
      for (int i = 0; i < 12; ++i) a.push_back(random.normal());
      for (int i = 0; i < 12; ++i) b.push_back(random.normal());
      for (int i = 0; i < 12; ++i) c.push_back(2.5 + random.normal());
      false_alarms += test(a, b) < 0.05;
      found += test(a, c) < 0.01;
    }
    EXPECT_LE(false_alarms, 24) << number;
    EXPECT_GE(found, 180) << number;
    ++number;
  }
}

}  // namespace
}  // namespace opbench
