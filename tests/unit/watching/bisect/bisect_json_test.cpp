#include "watching/bisect/bisect_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bisect_trials.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

BisectState some_state() {
  Random random(1);
  TrueRange range = plain_range(17, 11, 0.03, 0.01);
  range.is_buildable[8] = false;
  BisectState state = bisected(range, random);
  state.commits[3].subject = "kernels: \"tile\" rows";
  return state;
}

TEST(BisectJson, ComesBackBitForBit) {
  const BisectState state = some_state();
  const auto read = read_bisect(bisect_json(state).dump());
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(*read, state);
}

TEST(BisectJson, RefusesWhatItDoesNotWrite) {
  const Json whole = bisect_json(some_state());
  const auto message = [](const Json& json) { return to_text(read_bisect(json.dump()).error()); };
  for (const char* name : {"end_pairs", "first_pairs", "step_pairs", "most_pairs", "direct_pairs",
                           "error", "layout_sd"}) {
    Json json = whole;
    json["rule"][name] = "many";
    EXPECT_THAT(message(json), HasSubstr(name));
    json["rule"].erase(name);
    EXPECT_THAT(message(json), HasSubstr(name));
  }
  for (const char* name : {"id", "subject", "log_ratios", "skipped"}) {
    Json json = whole;
    json["commits"][1].erase(name);
    EXPECT_THAT(message(json), HasSubstr(name));
  }
  Json far = whole;
  far["direct"]["after"] = 17;
  EXPECT_THAT(message(far), HasSubstr("direct"));
  Json other = whole;
  other["format"] = 2;
  EXPECT_THAT(message(other), HasSubstr("format"));
  Json few = whole;
  few["commits"] = Json::array({few["commits"][0]});
  EXPECT_THAT(message(few), HasSubstr("two commits"));
  EXPECT_FALSE(read_bisect("{\"record\": \"bisect\""));
  EXPECT_FALSE(read_bisect("[]"));
}

}  // namespace
}  // namespace opbench
