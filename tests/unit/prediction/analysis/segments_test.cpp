#include "prediction/analysis/segments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "made_curves.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(Segments, LeaveTheSameSquaresAsTryingAllBreaks) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Curve curve = made_curve(14, 0.2, seed, [](double n) { return 1 / n; });
    const LineSums sums(abscissa_of(curve), log_times_of(curve));
    double least = std::numeric_limits<double>::infinity();
    for (size_t a = 3; a + 6 <= 14; ++a) {
      for (size_t b = a + 3; b + 3 <= 14; ++b) {
        least = std::min(least, sums.through(0, a).squares + sums.through(a, b).squares +
                                    sums.through(b, 14).squares);
      }
    }
    EXPECT_NEAR(segments_of(curve, 3).squares, least, 1e-12);
  }
}

TEST(Segments, FindAPlantedStep) {
  const Curve curve = made_curve(40, 0.01, 2, [](double n) { return n <= 11 ? 3 / n : 0.1; });
  EXPECT_THAT(segments_of(curve, 2).ends, ElementsAre(11, 40));
}

TEST(BentLine, FindsAPlantedBend) {
  const Curve curve = made_curve(32, 0.001, 4, [](double n) { return n <= 8 ? 1 / n : 1 / 8.0; });
  const BentLine bent = bent_line_of(curve);
  EXPECT_EQ(curve[bent.bend].x, 8);
  EXPECT_NEAR(bent.line.slope, -1, 0.01);
  EXPECT_NEAR(bent.slope_behind, 0, 0.01);
}

TEST(ChanceOfBreak, IsSmallForALargeGainOnly) {
  const Curve curve = made_curve(16, 0.02, 1, [](double) { return 1.0; });
  EXPECT_LT(chance_of_break(curve, 40, 199, 1), 0.01);
  EXPECT_GT(chance_of_break(curve, -5, 199, 1), 0.3);
}

}  // namespace
}  // namespace opbench
