#include "presentation/report/place/place_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlaceResult sample_place_report(std::optional<double> within = {}) {
  PlaceResult result;
  result.graph.model = "m";
  result.graph.devices = {{"cpu0", {0}, "", "llvm", "measured", "in the model, run 1"},
                          {"cpu1:avx2", {1}, "avx2", "llvm", "measured", "in the model, run 2"}};
  result.graph.add({.name = "x", .kind = "conv2d+relu"}, "", {2, 3}, {0.1, 0.1});
  result.graph.add({.name = "y", .kind = "conv2d", .needs = {{0, 10'000}}}, "", {4, 2}, {0.1, 0.1});
  result.graph.add({.name = "z", .kind = "conv2d", .needs = {{0, 10'000}}}, "", {3, 5}, {0.1, 0.1});
  result.graph.transfer = {.latency_ms = 0.1, .ms_per_byte = 0, .source = "a wish"};
  result.energy = parse_energy(built_in_energy_text(), "built-in").value();
  result.study = study_places(result.graph, result.energy, {.within_ms = within}).value();
  result.warnings = {"beware"};
  return result;
}

TEST(PlaceReport, PutsTheMethodsSideBySide) {
  const std::string text = csv_text(place_table(sample_place_report()));
  EXPECT_THAT(text, HasSubstr("method,makespan,energy,over optimum,speed-up,interval low,"
                              "interval high,verdict,cpu0,cpu1:avx2\n"));
  EXPECT_THAT(text, HasSubstr("all on cpu0,9.000,"));
  EXPECT_THAT(text, HasSubstr("optimum,5.000,"));
  EXPECT_THAT(text, HasSubstr("0.0,1.800,"));
}

TEST(PlaceReport, ShowsTheLongestOfManyUnits) {
  PlaceResult result = sample_place_report();
  for (int i = 0; i < 500; ++i) {
    result.graph.add({.name = "u", .kind = "relu"}, "", {0.001, 0.001}, {0, 0});
  }
  for (PlaceCandidate& one : result.study.candidates) {
    one.point.placement.resize(result.graph.size());
  }
  const std::string text = place_text(result, 0, {});
  EXPECT_THAT(text, HasSubstr("(24 of 503 units, the longest; --format json has all)\n"));
  EXPECT_THAT(text, HasSubstr("conv2d+relu"));
  EXPECT_LT(std::ranges::count(text, '\n'), 100);
}

TEST(PlaceReport, NamesWhatIsModelledAndSimulated) {
  const std::string text = place_text(sample_place_report(), 0, {});
  EXPECT_THAT(text, HasSubstr("modelled with built-in"));
  EXPECT_THAT(text, HasSubstr("transfer  modelled: a wish"));
  EXPECT_THAT(text, HasSubstr("times measured (in the model, run 2)"));
  EXPECT_THAT(text, HasSubstr("(the fastest device alone)"));
  EXPECT_THAT(text, HasSubstr("of 10 cases"));
  EXPECT_THAT(text, HasSubstr("warning: beware"));
  EXPECT_THAT(text, HasSubstr("conv2d+relu"));
  EXPECT_THAT(text, Not(HasSubstr("control")));
}

TEST(PlaceReport, SaysHowFarEqualDevicesDifferAndWhatDisturbedThem) {
  PlaceResult result = sample_place_report();
  result.graph.control = PlaceControl{"cpu0", 1.01, 0.99, 1.04, 12, {2, 4, 3}};
  result.graph.noise = "shared machine";
  result.graph.disturbance = "other work disturbed 10 of 12 turns (preempted 10)";
  result.study = study_places(result.graph, result.energy, {}).value();
  const std::string text = place_text(result, 0, {});
  EXPECT_THAT(text, HasSubstr("control   cpu0 beside itself: 1.010 × (0.990 to 1.040) in 12 turns, "
                              "placements gain 0.0 % by chance: within 4.0 % speed-ups"));
  EXPECT_THAT(text, HasSubstr("noise     shared machine\n"));
  EXPECT_THAT(text, HasSubstr("other work disturbed 10 of 12 turns"));
  const Json json = place_json(result);
  EXPECT_NEAR(json.at("floor").get<double>(), 0.04, 1e-9);
  for (const Json& one : json.at("candidates")) EXPECT_EQ(one.at("verdict"), "inconclusive");
  EXPECT_EQ(parse_place_graph(json.dump(), "p.json").value(), result.graph);
}

TEST(PlaceReport, TellsMeasuredWattsFromDeclaredOnes) {
  PlaceResult result = sample_place_report();
  result.energy.devices["cpu0"] = {5.5, 2, "measured (package-0)"};
  result.study = study_places(result.graph, result.energy, {}).value();
  const std::string text = place_text(result, 0, {});
  EXPECT_THAT(text, HasSubstr("5.5 W busy, 2 W idle, measured (package-0)\n"));
  EXPECT_THAT(text, HasSubstr("4.5 W busy, 1 W idle\n"));
  EXPECT_THAT(text, HasSubstr("energy    watts of cpu0 measured; the rest"));
  EXPECT_THAT(text, HasSubstr("modelled with built-in and measured watts"));
  const Json devices = place_json(result).at("energy").at("devices");
  EXPECT_EQ(devices[0].at("source"), "measured (package-0)");
  EXPECT_EQ(devices[1].at("source"), "declared (built-in)");
}

TEST(PlaceReport, SaysThatALimitIsTooShort) {
  const std::string text = place_text(sample_place_report(1.0), 0, {});
  EXPECT_THAT(text, HasSubstr("within 1.000 ms (as asked for): no placement is so short, the "
                              "shortest takes 5.000 ms"));
}

TEST(PlaceReport, IsReadBackFromItsJson) {
  const PlaceResult result = sample_place_report();
  const Json json = place_json(result);
  EXPECT_EQ(json.at("schema"), "opbench.place/1");
  EXPECT_EQ(json.at("optimum_ms"), 5.0);
  EXPECT_EQ(json.at("candidates").size(), result.study.candidates.size());
  EXPECT_EQ(json.at("energy").at("kind"), "modelled");
  EXPECT_EQ(json.at("sensitivity").size(), 10u);
  const auto graph = parse_place_graph(json.dump(), "p.json");
  ASSERT_TRUE(graph) << to_text(graph.error());
  EXPECT_EQ(*graph, result.graph);
}

}  // namespace
}  // namespace opbench
