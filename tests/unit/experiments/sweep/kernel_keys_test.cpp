#include "experiments/sweep/kernel_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

ProfileRequest request_for(const std::string& workload) {
  ProfileRequest request;
  request.model.workload = workload;
  return request;
}

const char* const kConv = "conv2d 1x16x14x14 w:32x16x3x3 pads=1,1,1,1";

TEST(KernelKeys, SetKnobsOfTheDefaultSchedule) {
  const auto by_default = kernel_of(request_for(kConv), {});
  ASSERT_TRUE(by_default) << to_text(by_default.error());
  EXPECT_EQ(by_default->schedule, "conv2d_winograd");
  const int64_t value = by_default->config.at("parts");
  auto again = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{"parts", value}}});
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(again->config, by_default->config);
  EXPECT_EQ(again->origin, "--over knob.parts=" + std::to_string(value));
}

TEST(KernelKeys, TakeAnotherSchedule) {
  const auto direct = kernel_of(request_for(kConv), {.schedule = "conv2d_direct", .knobs = {}});
  ASSERT_TRUE(direct) << to_text(direct.error());
  EXPECT_EQ(direct->schedule, "conv2d_direct");
  EXPECT_EQ(direct->origin, "--over schedule=conv2d_direct");
}

TEST(KernelKeys, NameTheKnobsAndSchedulesThatThereAre) {
  const auto knob = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{"no_such", 1}}});
  ASSERT_FALSE(knob);
  EXPECT_THAT(knob.error().message, HasSubstr("knob of schedule conv2d_winograd: \"no_such\""));
  const auto schedule = kernel_of(request_for(kConv), {.schedule = "softmax", .knobs = {}});
  ASSERT_FALSE(schedule);
  EXPECT_THAT(schedule.error().message, HasSubstr("schedule of this workload \"softmax\""));
  EXPECT_THAT(schedule.error().facts.front().text, HasSubstr("conv2d_direct"));
}

TEST(KernelKeys, RefuseAValueThatNoTunerMayGive) {
  const auto choice = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{"parts", -7}}});
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().message, "knob parts cannot be -7");
  EXPECT_EQ(choice.error().facts.front().label, "valid");
}

}  // namespace
}  // namespace opbench
