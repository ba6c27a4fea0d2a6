#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "kernel_harness.h"
#include "kernels_not_run.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::Le;

constexpr int kKnobRangeConfigs = 3;  // of every workload
constexpr double kError = 1e-4;       // of the largest value: Winograd's F(4x4) has some 1e-5

struct KnobRangeCase {
  const char* schedule;
  const char* workload;
};

constexpr KnobRangeCase kCases[] = {
    {"conv2d_direct", "conv2d 1x32x14x14 w:64x32x3x3 w:64 pads=1,1,1,1; relu"},
    {"conv2d_direct", "conv2d 2x48x15x13 w:96x48x3x3 pads=1,1,1,1 strides=2,2; add 2x96x8x7"},
    {"conv2d_direct", "conv2d 1x64x7x7 w:40x64x1x1 w:40"},
    {"conv2d_pointwise", "conv2d 1x64x7x9 w:96x64x1x1 w:96; relu"},
    {"conv2d_pointwise", "conv2d 2x40x13x13 w:40x40x1x1; add 2x40x13x13"},
    {"conv2d_strassen", "conv2d 1x256x7x9 w:160x256x1x1 w:160; relu"},
    {"conv2d_strassen", "conv2d 2x192x13x12 w:192x192x1x1; add 2x192x13x12"},
    {"conv2d_direct", "conv2d 1x3x30x34 w:48x3x7x7 w:48 pads=3,3,3,3 strides=2,2; relu"},
    {"conv2d_winograd", "conv2d 1x32x14x14 w:64x32x3x3 w:64 pads=1,1,1,1; relu"},
    {"conv2d_winograd", "conv2d 2x16x9x23 w:48x16x3x3 pads=1,1,1,1; add 2x48x9x23"},
    {"conv2d_winograd", "conv2d 1x32x15x14 w:48x32x5x5 w:48 pads=2,2,2,2; relu"},
    {"conv2d_winograd", "conv2d 1x32x35x35 w:32x32x3x3 w:32 strides=2,2; relu"},
    {"conv2d_winograd", "conv2d 2x40x33x29 w:36x40x5x5 pads=2,2,2,1 strides=2,2"},
    {"conv2d_winograd1d", "conv2d 1x32x14x14 w:64x32x1x7 w:64 pads=0,3,0,3; relu"},
    {"conv2d_winograd1d", "conv2d 2x32x9x23 w:48x32x3x1 pads=1,0,1,0; add 2x48x9x23"},
    {"conv2d_depthwise", "conv2d 1x32x15x14 w:32x1x3x3 w:32 group=32 pads=1,1,1,1; relu"},
    {"conv2d_depthwise", "conv2d 1x40x11x12 w:40x1x5x5 group=40 pads=2,2,2,2 strides=2,2"},
    {"dense", "dense 1x200 w:130x200 w:130 transB=1; relu"},
    {"dense", "dense 37x64 w:100x64 transB=1"},
    {"dense", "dense 2x150 w:150x40 w:40; relu"},
    {"matmul", "matmul 3x20x32 3x32x50"},
};

/// A value of every knob, drawn until they go together.
KernelSpec drawn(const KernelSpec& default_spec, const std::vector<KnobRange>& knobs,
                 Random& random) {
  const ScheduleDef& schedule = **schedule_table().find(default_spec.schedule);
  KernelSpec spec = default_spec;
  do {
    for (const KnobRange& knob : knobs) {
      spec.config[knob.name] = knob.values[random.below(knob.values.size())];
    }
  } while (!schedule.check_config(spec));
  return spec;
}

class KnobRangeOf : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, KnobRangeOf,
                         ::testing::Values("llvm -mcpu=skylake-avx512", "llvm -mcpu=core-avx2"));

void expect_in_range(const ScheduleDef& schedule, const KernelSpec& spec) {
  for (const KnobRange& knob : schedule.knobs(spec)) {
    ASSERT_TRUE(spec.config.contains(knob.name)) << knob.name;
    EXPECT_THAT(knob.values, Contains(spec.config.at(knob.name))) << knob.name;
  }
  const auto valid = schedule.check_config(spec);
  EXPECT_TRUE(valid) << to_text(valid.error());
}

void expect_default_config(const KnobRangeCase& test, const char* target, int threads) {
  const auto spec = kernel_spec(test.workload, target, test.schedule, true, threads);
  ASSERT_TRUE(spec) << to_text(spec.error());
  const ScheduleDef& schedule = **schedule_table().find(test.schedule);
  EXPECT_EQ(schedule.knobs(*spec).size(), spec->config.size());
  expect_in_range(schedule, *spec);
  if (schedule.alternatives == nullptr) return;
  std::vector<Config> alternatives = schedule.alternatives(*spec);
  EXPECT_THAT(alternatives, Contains(spec->config));
  for (Config& config : alternatives) {
    KernelSpec alternative = *spec;
    alternative.config = std::move(config);
    SCOPED_TRACE(text_of(alternative));
    expect_in_range(schedule, alternative);
  }
}

TEST_P(KnobRangeOf, HasTheDefaultConfigAndItsAlternatives) {
  for (const KnobRangeCase& test : kCases) {
    for (const int threads : {1, 2, 3, 64}) {
      SCOPED_TRACE(std::string(test.schedule) + ": " + test.workload + ", threads " +
                   std::to_string(threads));
      expect_default_config(test, GetParam(), threads);
    }
  }
}

TEST_P(KnobRangeOf, GivesKernelsThatComputeTheWorkload) {
  Random random(1, "knobs");
  for (const KnobRangeCase& test : kCases) {
    const auto spec = kernel_spec(test.workload, GetParam(), test.schedule);
    ASSERT_TRUE(spec) << to_text(spec.error());
    if (!runs_kernels_of(spec->target)) continue;
    const std::vector<KnobRange> knobs = (*schedule_table().find(test.schedule))->knobs(*spec);
    for (int i = 0; i < kKnobRangeConfigs; ++i) {
      const KernelSpec config = drawn(*spec, knobs, random);
      SCOPED_TRACE(text_of(config));
      const auto error = kernel_error(config);
      ASSERT_TRUE(error) << to_text(error.error());
      EXPECT_THAT(*error, Le(kError));
    }
  }
}

}  // namespace
}  // namespace opbench
