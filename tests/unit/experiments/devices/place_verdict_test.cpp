#include "experiments/devices/place_verdict.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(PlaceVerdict, IsOfTheWholeInterval) {
  EXPECT_EQ(place_verdict(1.06, 1.2, 0.05, false), "faster");
  EXPECT_EQ(place_verdict(1.04, 1.2, 0.05, false), "inconclusive");
  EXPECT_EQ(place_verdict(0.97, 1.03, 0.05, false), "inconclusive") << "beyond the margin";
  EXPECT_EQ(place_verdict(0.99, 1.01, 0.05, false), "same");
  EXPECT_EQ(place_verdict(0.5, 0.9, 0.05, false), "slower");
  EXPECT_EQ(place_verdict(0.5, 0.9, 0.05, true), "inconclusive");
}

}  // namespace
}  // namespace opbench
