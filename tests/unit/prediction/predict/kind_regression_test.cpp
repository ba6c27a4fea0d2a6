#include "prediction/predict/kind_regression.h"

#include <gtest/gtest.h>

#include "simulated_samples.h"

namespace opbench {
namespace {

TEST(KindRegression, FindsRatesThatHold) {
  SampleSet set = simulated_samples(20, 4);
  for (UnitSample& unit : set.units) {
    const KernelWork& work = unit.features.work;
    unit.in_model_s = 2e-6 + work.flops * 2e-11 + (work.footprint() - work.weight_bytes) * 1e-10 +
                      work.weight_bytes * 3e-10;
    if (unit.features.kind != "conv2d") unit.in_model_s = 1e-7;
  }
  const KindRegression regression(set);
  for (const UnitSample& unit : set.units) {
    EXPECT_NEAR(regression.unit_s(unit.features), *unit.in_model_s, 1e-3 * *unit.in_model_s);
  }
  ASSERT_FALSE(regression.kinds().empty());
  EXPECT_EQ(regression.kinds().front().kind, "conv2d");
  EXPECT_TRUE(regression.kinds().front().is_heavy);
}

TEST(KindRegression, TakesTheMedianOfALightKind) {
  SampleSet set = simulated_samples(20, 5);
  double time = 1e-9;
  size_t lights = 0;
  for (UnitSample& unit : set.units) {
    unit.in_model_s = 1e-3;
    if (unit.features.kind == "conv2d") continue;
    ++lights;
    unit.in_model_s = time;
    time += 1e-9;
  }
  const KindRegression regression(set);
  for (const UnitSample& unit : set.units) {
    if (unit.features.kind == "conv2d") continue;
    EXPECT_NEAR(regression.unit_s(unit.features), 1e-9 * (1 + static_cast<double>(lights / 2)),
                1e-15);
  }
}

TEST(KindRegression, IsNeverNegative) {
  const KindRegression regression(simulated_samples(10, 6, 0.5));
  const UnitFeatures tiny = unit_features(default_kernel("relu 1x1x1x1", 0), round_ceilings());
  EXPECT_GT(regression.unit_s(tiny), 0);
}

}  // namespace
}  // namespace opbench
