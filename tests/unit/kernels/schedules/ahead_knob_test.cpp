#include "kernels/schedules/knobs/ahead_knob.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernel_harness.h"

namespace opbench {
namespace {

/// The knob's values for a workload under a schedule; none where it has no such knob.
std::vector<int64_t> values_for(const std::string& schedule, const std::string& workload,
                                const std::string& target = "llvm -mcpu=skylake-avx512") {
  const auto spec = kernel_spec(workload, target, schedule);
  if (!spec) ADD_FAILURE() << to_text(spec.error());
  if (!spec) return {};
  const auto knobs = (*schedule_table().find(schedule))->knobs(*spec);
  const auto knob = std::ranges::find(knobs, "ahead", &KnobRange::name);
  const bool is_listed = knob != knobs.end();
  EXPECT_EQ(spec->config.contains("ahead"), is_listed) << workload;
  EXPECT_FALSE(asks_ahead(spec->config)) << workload;
  return is_listed ? knob->values : std::vector<int64_t>();
}

TEST(AheadKnob, IsForWeightsThatNoCoreKeeps) {
  const std::vector<int64_t> both = {0, 1}, none;
  EXPECT_EQ(values_for("dense", "dense 30x1024 w:1024x512"), both);
  EXPECT_EQ(values_for("dense", "dense 30x1024 w:1024x511"), none);
  EXPECT_EQ(values_for("conv2d_pointwise", "conv2d 1x1024x7x7 w:512x1024x1x1"), both);
  EXPECT_EQ(values_for("conv2d_pointwise", "conv2d 1x512x7x7 w:512x512x1x1"), none);
  EXPECT_EQ(values_for("conv2d_winograd", "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1"), both);
  EXPECT_EQ(values_for("conv2d_winograd", "conv2d 1x64x14x14 w:64x64x3x3 pads=1,1,1,1"), none);
}

TEST(AheadKnob, IsForX86) {
  EXPECT_TRUE(values_for("dense", "dense 30x1024 w:1024x512",
                         "llvm -mtriple=aarch64-linux-gnu -mattr=+neon")
                  .empty());
}

}  // namespace
}  // namespace opbench
