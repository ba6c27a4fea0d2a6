#include "measuring/results/sweep_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sample_sweep.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SweepJson, HoldsEveryPointWithReasonsForWhatIsMissing) {
  const Json json = sweep_json(sample_sweep());
  EXPECT_EQ(json["schema"], "opbench.sweep/1");
  EXPECT_EQ(json["workload"], "relu 1x8");
  EXPECT_FALSE(json.contains("model"));
  EXPECT_EQ(json["over"][1], Json::parse(R"({"key": "batch", "values": [1, 8]})"));
  const Json& good = json["points"][1];
  EXPECT_EQ(good["values"], Json::parse(R"({"engine": "halide", "batch": 8})"));
  EXPECT_EQ(good["time_ms"]["median"], 2.0);
  EXPECT_EQ(good["time_ms"]["samples"], 1);
  EXPECT_EQ(good["speed_up"], 4.0);
  EXPECT_TRUE(good["failure"].is_null());
  const Json& bad = json["points"][3];
  EXPECT_TRUE(bad["time_ms"].is_null());
  EXPECT_EQ(bad["time_ms_reason"], "unsupported: no");
  EXPECT_EQ(bad["failure"], "unsupported: no");
  for (const Json& point : json["points"]) {
    for (const auto& [field, value] : point.items()) {
      if (value.is_null() && field != "failure") {
        EXPECT_TRUE(point.contains(field + "_reason")) << field;
      }
    }
  }
}

TEST(SweepJson, IsReadAsFarAsOthersAskForIt) {
  const SweepResult read = parse_sweep(sweep_json(sample_sweep()), "s.json").value();
  EXPECT_EQ(read.workload, "relu 1x8");
  EXPECT_EQ(read.model, "");
  ASSERT_EQ(read.keys.size(), 2U);
  EXPECT_EQ(read.keys[1].name, "batch");
  ASSERT_EQ(read.points.size(), 4U);
  EXPECT_THAT(read.points[1].values, ElementsAre("halide", "8"));
  EXPECT_EQ(read.points[1].time->median_ms, 2.0);
  EXPECT_FALSE(read.points[3].time);
}

TEST(SweepJson, SaysWhatIsNoSweep) {
  const auto fault = [](const char* text) {
    return parse_sweep(Json::parse(text), "s.json").error().message;
  };
  EXPECT_EQ(fault(R"({"schema": "opbench.profile/1"})"),
            "\"s.json\" has the schema \"opbench.profile/1\", not opbench.sweep/1");
  const std::string begin = R"({"schema": "opbench.sweep/1")";
  EXPECT_THAT(fault((begin + "}").c_str()), HasSubstr("does not say what it is over"));
  const std::string over = begin + R"(, "over": [{"key": "batch"}])";
  EXPECT_THAT(fault((over + "}").c_str()), HasSubstr("has no list of points"));
  EXPECT_THAT(fault((over + R"(, "points": [{}]})").c_str()), HasSubstr("a point without values"));
  EXPECT_THAT(fault((over + R"(, "points": [{"values": {}}]})").c_str()),
              HasSubstr("a point without batch"));
}

}  // namespace
}  // namespace opbench
