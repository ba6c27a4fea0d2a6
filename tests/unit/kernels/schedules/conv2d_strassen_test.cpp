#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/numbers/random.h"
#include "kernel_harness.h"
#include "kernels/schedules/convolution/strassen.h"

namespace opbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Eq;
using ::testing::Le;
using ::testing::Not;

constexpr const char* kAvx512 = "llvm -mcpu=skylake-avx512";

TEST(Strassen, GivesTheProductOfTwoMatrices) {
  Random random(1, "strassen");
  for (int round = 0; round < 100; ++round) {
    std::array<double, 4> a{}, b{};
    for (double& value : a) value = random.uniform() - 0.5;
    for (double& value : b) value = random.uniform() - 0.5;
    const auto left = left_factors(a), right = right_factors(b);
    std::array<double, kStrassenProducts> products{};
    for (int k = 0; k < kStrassenProducts; ++k) products[k] = left[k] * right[k];
    const std::array<double, 4> c = strassen_result(products);
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 2; ++column) {
        const double expected = a[2 * row] * b[column] + a[2 * row + 1] * b[2 + column];
        EXPECT_THAT(c[2 * row + column], DoubleNear(expected, 1e-14));
      }
    }
  }
}

TEST(Strassen, HasElementsAsTheFirstRightFactors) {
  const std::array<int, 4> b = {1, 20, 300, 4000};
  const auto factors = right_factors(b);
  static_assert(kPlainFactors == 3);
  EXPECT_EQ(factors[0], b[0]);
  EXPECT_EQ(factors[1], b[2]);
  EXPECT_EQ(factors[2], b[3]);
}

/// The schedule that the rule chooses.
std::string default_schedule_of(const std::string& workload) {
  const auto spec = kernel_spec(workload, kAvx512);
  return spec ? spec->schedule : to_text(spec.error());
}

int64_t default_knob(const std::string& workload, const char* knob, int threads = 1) {
  const auto spec = kernel_spec(workload, kAvx512, "conv2d_strassen", true, threads);
  return spec ? spec->config.at(knob) : -1;
}

TEST(Conv2dStrassen, IsForManyChannelsOnBothSides) {
  EXPECT_THAT(default_schedule_of("conv2d 1x256x28x28 w:128x256x1x1"), Eq("conv2d_strassen"));
  EXPECT_THAT(default_schedule_of("conv2d 1x512x7x7 w:2048x512x1x1"), Eq("conv2d_strassen"));
  EXPECT_THAT(default_schedule_of("conv2d 1x256x56x56 w:128x256x1x1 strides=2,2"),
              Eq("conv2d_strassen"));
  EXPECT_THAT(default_schedule_of("conv2d 1x64x56x56 w:256x64x1x1"), Not(Eq("conv2d_strassen")));
  EXPECT_THAT(default_schedule_of("conv2d 1x256x56x56 w:64x256x1x1"), Not(Eq("conv2d_strassen")));
}

TEST(Conv2dStrassen, IsNotForChannelsThatCannotBeHalved) {
  EXPECT_THAT(default_schedule_of("conv2d 1x512x14x14 w:1000x512x1x1"), Not(Eq("conv2d_strassen")));
  EXPECT_THAT(default_schedule_of("conv2d 1x528x14x14 w:256x528x1x1"), Not(Eq("conv2d_strassen")));
  EXPECT_THAT(default_schedule_of("conv2d 1x504x14x14 w:256x504x1x1"), Not(Eq("conv2d_strassen")));
}

TEST(Conv2dStrassen, IsNotForWeightsThatAreReadMoreThanUsed) {
  EXPECT_THAT(default_schedule_of("conv2d 1x2048x7x7 w:1024x2048x1x1"), Not(Eq("conv2d_strassen")));
  EXPECT_THAT(default_schedule_of("conv2d 1x2048x14x14 w:1024x2048x1x1"), Eq("conv2d_strassen"));
}

TEST(Conv2dStrassen, HasTasksForPartsOfAnImage) {
  EXPECT_EQ(default_knob("conv2d 1x512x28x28 w:256x512x1x1", "shared"), 0);
  EXPECT_EQ(default_knob("conv2d 1x512x28x28 w:256x512x1x1", "pixel_tasks"), 28);
  EXPECT_EQ(default_knob("conv2d 1x768x17x17 w:192x768x1x1", "shared"), 0);
  EXPECT_EQ(default_knob("conv2d 1x768x17x17 w:192x768x1x1", "pixel_tasks"), 21);
}

TEST(Conv2dStrassen, SharesSumsAmongPanelsOfASmallImage) {
  EXPECT_EQ(default_knob("conv2d 1x256x14x14 w:1024x256x1x1", "shared"), 1);
  EXPECT_EQ(default_knob("conv2d 1x512x7x7 w:2048x512x1x1", "shared"), 1);
  EXPECT_EQ(default_knob("conv2d 1x512x7x7 w:2048x512x1x1", "pixel_tasks"), 1);
  EXPECT_EQ(default_knob("conv2d 1x2048x8x8 w:320x2048x1x1", "pixel_tasks"), 4);
}

TEST(Conv2dStrassen, GivesFewThreadsEqualPartsOfASmallImage) {
  const std::string one = "conv2d 1x256x14x14 w:1024x256x1x1";  // 98 pairs
  EXPECT_EQ(default_knob(one, "shared", 2), 0);
  EXPECT_EQ(default_knob(one, "pixel_tasks", 2), 2);
  const int64_t tile = default_knob(one, "tile_x", 2);
  EXPECT_LE((49 + tile - 1) / tile * tile, 50) << tile << " pairs are computed together";
  EXPECT_EQ(default_knob(one, "pixel_tasks", 4), 4);
  EXPECT_EQ(default_knob(one, "shared", 64), 1);
  EXPECT_EQ(default_knob("conv2d 6x256x14x14 w:1024x256x1x1", "pixel_tasks", 2), 1) << "an image";
  EXPECT_EQ(default_knob("conv2d 6x256x14x14 w:1024x256x1x1", "pixel_tasks", 4), 2) << "its half";
  EXPECT_EQ(default_knob("conv2d 1x256x1x17 w:160x256x1x1", "pixel_tasks", 4), 3) << "9 pairs";
}

TEST(Conv2dStrassen, GivesFewThreadsPartsOfThePanelsWherePixelsCostLessThanWeights) {
  const std::string workload = "conv2d 1x512x7x7 w:2048x512x1x1";
  EXPECT_EQ(default_knob(workload, "panel_tasks", 1), 1);
  EXPECT_EQ(default_knob(workload, "panel_tasks", 2), 2);
  EXPECT_EQ(default_knob(workload, "pixel_tasks", 2), 1);
  EXPECT_EQ(default_knob(workload, "shared", 2), 0);
  EXPECT_EQ(default_knob(workload, "shared", 64), 1);
  EXPECT_EQ(default_knob("conv2d 2x512x7x7 w:2048x512x1x1", "panel_tasks", 2), 1) << "an image";
}

class Conv2dStrassenFor : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Conv2dStrassenFor,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(Conv2dStrassenFor, ComputesEvenAndOddImagesStridesBatchesAndEpilogues) {
  for (const char* workload : {
           "conv2d 1x256x14x14 w:160x256x1x1 w:160; relu",
           "conv2d 1x256x17x13 w:160x256x1x1",
           "conv2d 3x160x7x7 w:256x160x1x1 w:256; add 3x256x7x7; relu",
           "conv2d 1x224x15x14 w:222x224x1x1 w:222 strides=2,2; relu",
           "conv2d 2x192x13x13 w:192x192x1x1 strides=2,3; add 1x192x1x1",
           "conv2d 1x256x1x1 w:256x256x1x1",
           "conv2d 1x160x40x41 w:320x160x1x1; add 1x1x1x41",
       }) {
    SCOPED_TRACE(workload);
    const auto spec = kernel_spec(workload, GetParam(), "conv2d_strassen");
    ASSERT_TRUE(spec) << to_text(spec.error());
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_THAT(*error, Le(1e-5));
  }
}

TEST(Conv2dStrassen, ComputesALastPartThatIsShorterThanATile) {
  auto spec = kernel_spec("conv2d 1x256x14x14 w:160x256x1x1", "host", "conv2d_strassen");
  ASSERT_TRUE(spec) << to_text(spec.error());
  for (const int64_t shared : {0, 1}) {
    spec->config["tile_x"] = 8;  // 98 pairs; every target holds as many sums
    spec->config["tile_co"] = 1;
    spec->config["pixel_tasks"] = 13;
    spec->config["shared"] = shared;
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_THAT(*error, Le(1e-5));
  }
}

TEST(Conv2dStrassen, ComputesPartsOfPanelsAndOfPixels) {
  auto spec = kernel_spec("conv2d 2x256x7x7 w:160x256x1x1 w:160; relu", "host", "conv2d_strassen");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->config["tile_x"] = 8;  // 25 pairs
  spec->config["tile_co"] = 1;
  spec->config["shared"] = 0;
  for (const int64_t pixel_tasks : {1, 3}) {
    for (const int64_t panel_tasks : {2, 3}) {  // of 5 panels
      spec->config["pixel_tasks"] = pixel_tasks;
      spec->config["panel_tasks"] = panel_tasks;
      const auto error = kernel_error(*spec);
      ASSERT_TRUE(error) << to_text(error.error());
      EXPECT_THAT(*error, Le(1e-5)) << pixel_tasks << " " << panel_tasks;
    }
  }
}

}  // namespace
}  // namespace opbench
