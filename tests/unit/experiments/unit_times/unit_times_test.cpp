#include "experiments/unit_times/unit_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kProfile = R"({"schema": "opbench.profile/1", "scope": "model",
  "model": "m", "sha256": "ab", "run_id": "r",
  "engines": [
    {"engine": "halide", "threads": 1, "model": {"books": "inconclusive", "books_reason": "the machine is restless", "end_to_end_ms": {"median": 10, "q1": 9.5, "q3": 10.5}},
     "units": [
       {"workload": "relu 4", "layouts": [0, 0], "schedule": "map", "in_place_ms": 2,
        "occurrences": [{"nodes": ["a"], "in_place_ms": 1, "in_place_error_ms": 0.25}, {"nodes": ["b"], "in_place_ms": 3, "in_place_error_ms": 0.5}]},
       {"workload": "relu 8", "layouts": [0, 0], "schedule": "map", "in_place_ms": 5},
       {"workload": "relu 9", "layouts": null, "schedule": null, "in_place_ms": null}]},
    {"engine": "onnxruntime", "threads": 1, "units": [{"workload": "relu 4", "in_place_ms": 7}]}]})";

PreparedUnit unit_times_unit_of(const std::string& workload) {
  PreparedUnit unit;
  unit.identity.operator_text = "relu";
  unit.identity.workload = parse_workload(workload).value();
  unit.identity.blocks = {0, 0};
  unit.identity.schedule = "map";
  return unit;
}

TEST(UnitTimes, AreReadFromAProfile) {
  const ProfileTimes times = parse_profile_times(kProfile, "p.json").value();
  EXPECT_EQ(times.sha256, "ab");
  ASSERT_EQ(times.threads.size(), 1U);
  const ThreadTimes& one = times.threads.front();
  EXPECT_DOUBLE_EQ(one.end_to_end_ms, 10);
  EXPECT_EQ(one.disturbance, "the machine is restless");
  EXPECT_NEAR(one.spread, 1 / 1.349 / 10, 1e-9);
  ASSERT_EQ(one.rows.size(), 2U);
  EXPECT_THAT(one.rows[0].in_place_ms, ElementsAre(1, 3));
  EXPECT_THAT(one.rows[1].in_place_ms, ElementsAre(5));
}

TEST(UnitTimes, AreThoseOfTheResultThatTheProfileWasWrittenFrom) {
  ProfileResult result;
  result.model = "m";
  result.engines = {{.engine = "halide", .threads = 2}};
  UnitResult unit{.identity =
                      identity_from({.workload = "relu 4", .shapes = {}, .layouts = {0, 0}})};
  unit.identity.schedule = "map";
  unit.occurrences = {{{"a"}, 1.0, 0.25}, {{"b"}, 3.0, 0.5}};
  result.engines[0].units = {unit};
  result.engines[0].model.end_to_end = Measurement{.median_ms = 5, .q1_ms = 4, .q3_ms = 6};
  const ProfileTimes times = parse_profile_times(profile_json(result).dump(), "p.json").value();
  EXPECT_EQ(times, times_of(result));
  EXPECT_THAT(times.threads.at(0).rows.at(0).errors_ms, ElementsAre(0.25, 0.5));
}

TEST(UnitTimes, GoToUnitsInTheOrderInWhichTheyRun) {
  const ProfileTimes times = parse_profile_times(kProfile, "p.json").value();
  EngineRun engine_run;
  engine_run.built.units = {unit_times_unit_of("relu 4"), unit_times_unit_of("relu 8"),
                            unit_times_unit_of("relu 4"), unit_times_unit_of("relu 8")};
  const auto units = times_of_units(times.threads.front(), engine_run).value();
  ASSERT_EQ(units.size(), 4U);
  EXPECT_EQ(units[0], (TimeWithError{1, 0.25}));
  EXPECT_EQ(units[2], (TimeWithError{3, 0.5}));
  EXPECT_EQ(units[1], units[3]);
  EXPECT_DOUBLE_EQ(units[1].ms, 5);
  EXPECT_NEAR(units[1].error_ms, 5 * times.threads.front().spread / std::sqrt(5), 1e-12);
}

TEST(UnitTimes, RefuseAUnitThatTheProfileLacks) {
  const ProfileTimes times = parse_profile_times(kProfile, "p.json").value();
  EngineRun engine_run;
  engine_run.built.units = {unit_times_unit_of("relu 16")};
  const auto missing = times_of_units(times.threads.front(), engine_run);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no in-model time of a unit on 1 thread"));
  engine_run.built.units = {unit_times_unit_of("relu 4"), unit_times_unit_of("relu 4"),
                            unit_times_unit_of("relu 4")};
  EXPECT_FALSE(times_of_units(times.threads.front(), engine_run));
}

TEST(UnitTimes, RefuseWhatIsNoProfileOfAModel) {
  const auto fault = [](const std::string& text) {
    return parse_profile_times(text, "p.json").error().message;
  };
  EXPECT_THAT(fault("[]"), HasSubstr("several models"));
  EXPECT_THAT(fault("{}"), HasSubstr("is no profile"));
  EXPECT_THAT(fault(R"({"schema": "opbench.profile/1", "scope": "unit"})"),
              HasSubstr("single workload"));
  EXPECT_THAT(fault(R"({"schema": "opbench.profile/1", "scope": "model", "engines": [1]})"),
              HasSubstr("no in-model times"));
}

TEST(UnitTimes, AreMeasuredOnTeamsOfPowersOfTwoAndAll) {
  EXPECT_THAT(team_sizes(1), ElementsAre(1));
  EXPECT_THAT(team_sizes(2), ElementsAre(1, 2));
  EXPECT_THAT(team_sizes(6), ElementsAre(1, 2, 4, 6));
}

}  // namespace
}  // namespace opbench
