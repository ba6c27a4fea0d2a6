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

}  // namespace
}  // namespace opbench
