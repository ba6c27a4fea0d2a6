#include "experiments/devices/place_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using ::testing::HasSubstr;

PlaceGraph sample() {
  PlaceGraph graph{.model = "m",
                   .sha256 = "abc",
                   .devices = {{"cpu0", {0}, "", "llvm", "measured", "run 1", 0.01},
                               {"sim", {}, "", "", "simulated", "a file"}},
                   .transfer = {0.001, 1e-7, "modelled"},
                   .control = PlaceControl{"cpu0", 1.01, 0.99, 1.03, 12, {1.1, 3.1}},
                   .noise = "quiet",
                   .disturbance = "other work disturbed 9 of 12 turns"};
  graph.add({.name = "x", .kind = "conv2d"}, "conv2d 1", {1, 2}, {0.1, 0});
  graph.add({.name = "y", .kind = "relu", .needs = {{0, 64}}}, "relu 1", {3, 4}, {0, 0});
  return graph;
}

std::string place_graph_refusal(const Json& json) {
  const auto parsed = parse_place_graph(json.dump(), "p.json");
  return parsed ? "" : to_text(parsed.error());
}

TEST(PlaceGraph, SurvivesItsText) {
  const auto parsed = parse_place_graph(to_json(sample()).dump(), "p.json");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(*parsed, sample());
}

TEST(PlaceGraph, KeepsItsMembersInTheReport) {
  EXPECT_EQ(to_json(sample())["units"][1].dump(),
            R"({"name":"y","operators":"relu","workload":"relu 1","needs":[{"unit":0,)"
            R"("bytes":64.0}],"times_ms":[3.0,4.0],"errors_ms":[0.0,0.0]})");
}

TEST(PlaceGraph, RefusesWhatCannotBe) {
  EXPECT_THAT(place_graph_refusal(Json::array()), HasSubstr("no report of placements"));
  Json json = to_json(sample());
  json["schema"] = "opbench.plan/1";
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("known: opbench.place/1"));
  json = to_json(sample());
  json["units"][1].erase("times_ms");
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("lacks a member"));
  json = to_json(sample());
  for (const double bytes : {-1.0, 0.5, 1e300}) {
    json["units"][1]["needs"][0]["bytes"] = bytes;
    EXPECT_THAT(place_graph_refusal(json), HasSubstr("unit \"y\"")) << bytes;
  }
  json = to_json(sample());
  json["units"][0]["errors_ms"] = {0.1};
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("unit \"x\""));
  json = to_json(sample());
  json["control"]["times_ms"] = {1};
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("\"control\""));
  json = to_json(sample());
  json["devices"][0]["common_error"] = -1;
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("\"common_error\" of device \"cpu0\""));
  json = to_json(sample());
  json["devices"].erase(1);
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("fewer than two devices"));
  json = to_json(sample());
  json["units"] = Json::array();
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("no units"));
  json = to_json(sample());
  json["transfer"]["latency_ms"] = -1;
  EXPECT_THAT(place_graph_refusal(json), HasSubstr("below 0"));
}

}  // namespace
}  // namespace opbench
