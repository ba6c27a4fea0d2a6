#include "experiments/sweep/kernel_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;

ProfileRequest request_for(const std::string& workload) {
  ProfileRequest request;
  request.workload = workload;
  return request;
}

const char* const kConv = "conv2d 1x16x14x14 w:32x16x3x3 pads=1,1,1,1";

TEST(KernelKeys, SetKnobsOfTheDefaultSchedule) {
  const auto by_rule = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {}});
  ASSERT_TRUE(by_rule) << to_text(by_rule.error());
  ASSERT_FALSE(by_rule->config.empty());
  const auto& [knob, value] = *by_rule->config.begin();
  const auto again = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{knob, value}}});
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, *by_rule);
  EXPECT_EQ(again->origin, "--over");
}

TEST(KernelKeys, NameTheKnobsAndSchedulesThatThereAre) {
  const auto knob = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{"no_such", 1}}});
  ASSERT_FALSE(knob);
  EXPECT_THAT(knob.error().message, HasSubstr("knob of schedule"));
  EXPECT_THAT(knob.error().message, HasSubstr("\"no_such\""));
  const auto schedule = kernel_of(request_for(kConv), {.schedule = "softmax", .knobs = {}});
  ASSERT_FALSE(schedule);
  EXPECT_THAT(schedule.error().message, HasSubstr("schedule of this workload \"softmax\""));
  EXPECT_THAT(schedule.error().facts.front().text, HasSubstr("conv2d"));
}

TEST(KernelKeys, RefuseAValueThatTheScheduleRefuses) {
  const auto by_rule = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {}}).value();
  bool is_refused = false;
  for (const auto& [knob, value] : by_rule.config) {
    const auto choice = kernel_of(request_for(kConv), {.schedule = {}, .knobs = {{knob, -7}}});
    is_refused = is_refused || !choice;
  }
  EXPECT_TRUE(is_refused);
}

}  // namespace
}  // namespace opbench
