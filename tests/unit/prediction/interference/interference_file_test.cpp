#include "prediction/interference/interference_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sample_interference.h"

namespace opbench {
namespace {

TEST(InterferenceFile, HasPairsForecastsAndReasons) {
  const Json json = interference_json(sample_interference());
  EXPECT_EQ(json.at("schema"), "opbench.interference/1");
  EXPECT_EQ(json.at("pairs")[1].at("slow_down_of_first").at("ratio"), 1.31);
  EXPECT_EQ(json.at("pairs")[1].at("rounds_dropped").at("preempted"), 3);
  EXPECT_TRUE(json.at("pairs")[2].at("slow_down_of_first").is_null());
  EXPECT_EQ(json.at("pairs")[2].at("slow_down_reason"), "the budget ended before it");
  EXPECT_TRUE(json.at("pairs")[2].at("forecasts").is_null());
  EXPECT_EQ(json.at("units")[0].at("pressure").at("ratio"), 1.3);
  EXPECT_EQ(json.at("forecasts")[0].at("method"), "curve");
  InterferenceResult result = sample_interference();
  result.has_pairs = false;
  EXPECT_FALSE(interference_json(result).contains("pairs"));
}

TEST(InterferenceFile, IsReadAsFarAsOthersAskForIt) {
  InterferenceResult result = sample_interference();
  result.units[0].identity.texts.workload = "relu 4";
  const std::string text = interference_json(result).dump();
  const InterferenceFile file = parse_interference(text, "i.json", "how").value();
  EXPECT_EQ(file.target, "llvm");
  ASSERT_EQ(file.units.size(), 2U);
  EXPECT_EQ(file.units[0].key, "A");
  EXPECT_EQ(file.units[0].workload, "relu 4");
  EXPECT_EQ(file.units[0].alone_ms, 1.4);
  EXPECT_EQ(file.units[0].pressure, 1.3);
  EXPECT_EQ(file.units[1].beside[0].neighbour, "16 MiB");
  EXPECT_EQ(file.units[1].beside[0].slow_down.ratio, 1.0);
  ASSERT_EQ(file.levels.size(), 1U);
  EXPECT_TRUE(file.levels[0].is_probe);
  EXPECT_EQ(file.levels[0].bytes, 16 << 20);
  EXPECT_EQ(file.levels[0].slow_down.ratio, 1.4);
  ASSERT_EQ(file.pairs.size(), 3U);
  EXPECT_EQ(file.pairs[1][0].unit, "A");
  EXPECT_EQ(file.pairs[1][0].measured.ratio, 1.31);
  EXPECT_EQ(file.pairs[1][0].forecast, 1.3);
  EXPECT_EQ(file.pairs[1][1].unit, "B");
  EXPECT_FALSE(file.pairs[2][0].measured.ratio);
  const auto none = parse_interference(R"({"schema": "opbench.sweep/1"})", "s.json", "how");
  EXPECT_EQ(none.error().message, "\"s.json\" is no report of interference");
}

}  // namespace
}  // namespace opbench
