#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measuring/results/profile_json.h"
#include "measuring/results/time_interval.h"
#include "sample_profile.h"

namespace opbench {
namespace {

/// A profile with what reports keep of samples: two processes, a disturbed sample, a sample of more
/// digits than a report has.
ProfileResult full_profile() {
  ProfileResult result = sample_profile();
  result.sha256 = "abc";
  result.seed = 7;
  result.batch_size = 4;
  result.labels = {{"why", "test"}};
  result.metrics = {{"accuracy", 0.5}};
  result.warnings = {"slow"};
  result.graph = {{"a", "Conv", {}}, {"b", "Relu", {"a"}}};
  result.findings = {{{.finding = "more threads",
                       .where = "model",
                       .evidence = "an idle CPU",
                       .gain_low_pct = 3,
                       .gain_high_pct = 5,
                       .command = "opbench profile tiny --threads 2"}}};
  UnitResult& unit = result.engines[0].units[0];
  unit.time->samples = {{.wall_s = 0.00212345678},
                        {.wall_s = 1, .flag = "preempted"},
                        {.wall_s = 0.0022, .process = 2}};
  unit.occurrences = {
      {.nodes = {"a", "b"}, .in_place_ms = 2.25, .in_place_error_ms = 0.01, .step = 0}};
  unit.identity.origin = "log.json:3";
  result.engines[0].model.memory = PlannedMemory{10, 5, 20};
  return result;
}

TEST(ProfileReading, ReadsAllThatAReportTells) {
  const Json report = profile_json(full_profile());
  const ProfileResult read = profile_of(report);
  EXPECT_EQ(read.graph, full_profile().graph);
  EXPECT_EQ(read.findings, full_profile().findings);
  EXPECT_EQ(profile_json(read).dump(1), report.dump(1));
}

TEST(ProfileReading, KeepsCleanSamplesByProcess) {
  const Json time = profile_json(full_profile())["engines"][0]["units"][0]["time_ms"];
  EXPECT_EQ(time["samples_ms"].dump(), "[[2.12346],[2.2]]");
  const ProfileResult read = profile_of(profile_json(full_profile()));
  const Measurement& again = *read.engines[0].units[0].time;
  ASSERT_EQ(again.samples.size(), 2U);
  EXPECT_EQ(again.samples[1].process, 1);
  EXPECT_NEAR(again.samples[0].wall_s, 0.00212346, 1e-12);
}

TEST(ProfileReading, FindsNoIntervalWhereTheReportHasNone) {
  ProfileResult result = full_profile();
  Measurement& time = *result.engines[0].units[0].time;
  time.low_ms = time.high_ms = time.median_ms;
  // Of the samples only the equal ones are clean, so that the report holds no other.
  time.samples = {{.wall_s = 0.002}, {.wall_s = 0.002}, {.wall_s = 1, .flag = "preempted"}};
  const Json report = profile_json(result);
  ASSERT_TRUE(report["engines"][0]["units"][0]["time_ms"]["low"].is_null());
  const ProfileResult read = profile_of(report);
  ASSERT_EQ(read.engines[0].units[0].time->samples.size(), 2U);
  EXPECT_FALSE(interval_of(*read.engines[0].units[0].time));
}

TEST(ProfileReading, FindsNoCeilingThatIsNotAbove0) {
  ProfileResult result = full_profile();
  result.engines[0].peak_gflops = result.engines[0].memory_gbytes_per_s = 0;
  const ProfileResult read = profile_of(profile_json(result));
  EXPECT_EQ(read.engines[0].peak_gflops, std::nullopt);
  EXPECT_EQ(read.engines[0].memory_gbytes_per_s, std::nullopt);
}

TEST(ProfileReading, TakesReportsOfOtherVersions) {
  const auto read = [](const char* text) { return profile_of(parse_json(text, "test").value()); };
  EXPECT_TRUE(read("{}").engines.empty());
  EXPECT_TRUE(read("[1]").model.empty());
  EXPECT_FALSE(read("{}").findings);
  EXPECT_TRUE(read(R"({"findings": []})").findings);
  const ProfileResult odd = read(
      R"({"seed": -1e300, "command": [1, "a"], "environment": 3, "labels": {"a": 1}, "graph": [1],
          "engines": [3, {"threads": "x", "units": [7, {"time_ms": {"samples_ms": [1, ["a", 2]]},
          "count": 1e99, "occurrences": [{"step": 1e99}]}]}]})");
  EXPECT_EQ(odd.argv, std::vector<std::string>{"a"});
  ASSERT_EQ(odd.engines.size(), 2U);
  ASSERT_EQ(odd.engines[1].units.size(), 2U);
  EXPECT_EQ(odd.engines[1].units[1].time->samples.size(), 1U);
  EXPECT_EQ(odd.engines[1].units[1].count, 0);
}

}  // namespace
}  // namespace opbench
