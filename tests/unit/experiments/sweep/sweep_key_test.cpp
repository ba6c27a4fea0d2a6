#include "experiments/sweep/sweep_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values(const std::string& text) { return parse_over(text)->values; }

std::string refusal(const std::string& text) {
  const auto key = parse_over(text);
  return key ? "" : key.error().message;
}

TEST(ParseOver, ReadsListsAndRanges) {
  EXPECT_EQ(parse_over("threads=1,2").value(), (SweepKey{"threads", {"1", "2"}, true}));
  EXPECT_EQ(parse_over("engine=halide,onednn").value(),
            (SweepKey{"engine", {"halide", "onednn"}, false}));
  EXPECT_THAT(values("batch=1..32*2"), ElementsAre("1", "2", "4", "8", "16", "32"));
  EXPECT_THAT(values("batch=1..30*3"), ElementsAre("1", "3", "9", "27"));
  EXPECT_THAT(values("C=1..4"), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(values("C=1..8+3,64"), ElementsAre("1", "4", "7", "64"));
  EXPECT_THAT(values("C=007"), ElementsAre("7"));
}

TEST(ParseOver, RefusesWhatIsNoListOrRange) {
  EXPECT_THAT(refusal("threads"), HasSubstr("KEY=V,V…"));
  EXPECT_THAT(refusal("=1"), HasSubstr("KEY=V,V…"));
  EXPECT_THAT(refusal("threads="), HasSubstr("empty"));
  EXPECT_THAT(refusal("threads=1,"), HasSubstr("empty"));
  EXPECT_THAT(refusal("threads=1,2,1"), HasSubstr("twice"));
  EXPECT_THAT(refusal("threads=1,01"), HasSubstr("twice"));
  for (const char* range : {"4..1", "0..3", "1..", "..3", "1..8*1", "1..8+0", "1..8*", "1..9*x",
                            "1..99999999999999999999"}) {
    EXPECT_THAT(refusal(std::string("batch=") + range), HasSubstr("no range")) << range;
  }
  EXPECT_THAT(refusal("batch=1..1000000000"), HasSubstr("more than 10000 values"));
}

TEST(SettingOf, FindsExtentsOfAWorkloadAndInputsOfAModel) {
  const Workload workload = parse_workload("conv2d 1x8x6x6 w:8x8x3x3").value();
  const SweepSubject op{.workload = &workload};
  EXPECT_EQ(setting_of({"H", {"8"}}, op, {})->extent, (ExtentPlace{0, 2}));
  EXPECT_EQ(setting_of({"cache", {"hot"}, false}, op, {})->kind, SweepSetting::Kind::kCache);
  const SweepSubject model{.inputs = {{.name = "in.1", .dimensions = {{1, ""}, {-1, "n"}}}}};
  const auto setting = setting_of({"in.1.1", {"8"}}, model, {});
  EXPECT_EQ(setting->input, "in.1");
  EXPECT_EQ(setting->dimension, 1U);
  EXPECT_FALSE(setting_of({"in.1.2", {"8"}}, model, {}));
  const auto named = setting_of({"n", {"8"}}, model, {});
  EXPECT_EQ(named->kind, SweepSetting::Kind::kDimension);
  EXPECT_EQ(named->input, "n");
  EXPECT_FALSE(setting_of({"cache", {"hot"}, false}, model, {}));
}

TEST(SettingOf, KnowsTheUsersEngines) {
  const SweepSubject model;
  EXPECT_FALSE(setting_of({"engine", {"mine"}, false}, model, {}));
  EXPECT_TRUE(setting_of({"engine", {"mine"}, false}, model, {{.name = "mine"}}));
}

}  // namespace
}  // namespace opbench
