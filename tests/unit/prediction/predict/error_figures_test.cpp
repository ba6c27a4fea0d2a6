#include "prediction/predict/error_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

TEST(ErrorFigures, OfFourErrors) {
  const ErrorFigures figures = error_figures({{104, 100}, {90, 100}, {130, 100}, {100, 100}});
  EXPECT_EQ(figures.count, 4);
  EXPECT_NEAR(figures.mean, (0.04 + 0.1 + 0.3) / 4, 1e-12);
  EXPECT_NEAR(figures.median, 0.07, 1e-12);
  EXPECT_NEAR(figures.rms, std::sqrt((0.0016 + 0.01 + 0.09) / 4), 1e-12);
  EXPECT_NEAR(figures.worst, 0.3, 1e-12);
  EXPECT_NEAR(figures.within_5, 0.5, 1e-12);
  EXPECT_NEAR(figures.within_10, 0.75, 1e-12);
}

TEST(ErrorFigures, OfNothing) { EXPECT_EQ(error_figures({}).count, 0); }

}  // namespace
}  // namespace opbench
