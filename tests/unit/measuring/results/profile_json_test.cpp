#include "measuring/results/profile_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "sample_profile.h"

namespace opbench {
namespace {

TEST(ProfileJson, HasTheFieldsThatAreStable) {
  const Json json = profile_json(sample_profile());
  EXPECT_EQ(json["schema"], "opbench.profile/1");
  EXPECT_EQ(json["model"], "tiny");
  EXPECT_EQ(json["target"], "llvm -mcpu=core-avx2");
  EXPECT_EQ(json["environment"]["machine"]["cores"], 2);
  EXPECT_TRUE(json.contains("preparation_ms"));
  EXPECT_TRUE(json.contains("measuring_ms"));
  const Json& engine = json["engines"][0];
  for (const char* name :
       {"engine", "version", "threads", "call_floor_ms", "units", "model", "check"}) {
    EXPECT_TRUE(engine.contains(name)) << name;
  }
  for (const char* name :
       {"operator", "nodes", "workload", "count", "time_ms", "in_place_ms", "total_ms", "share",
        "gflops_per_s", "percent_of_peak", "gbytes_per_s", "bound", "reproducer", "failure"}) {
    for (const Json& unit : engine["units"]) EXPECT_TRUE(unit.contains(name)) << name;
  }
  for (const char* name : {"end_to_end_ms", "sum_in_place_ms", "dispatch_ms", "gap_percent",
                           "profiler_slowdown_percent", "peak_memory_mb"}) {
    EXPECT_TRUE(engine["model"].contains(name)) << name;
  }
}

TEST(ProfileJson, CountsOnlyCleanSamples) {
  const Json time = profile_json(sample_profile())["engines"][0]["units"][0]["time_ms"];
  EXPECT_EQ(time["median"], 2.0);
  EXPECT_EQ(time["samples"], 1);
  EXPECT_EQ(time["dropped"]["preempted"], 1);
  EXPECT_EQ(time["stop_reason"], "precision");
}

TEST(ProfileJson, HasTimesOfADevicesClockWhereThereIsOne) {
  ProfileResult result = sample_profile();
  EngineResult& engine = result.engines[0];
  Json json = profile_json(result)["engines"][0];
  EXPECT_FALSE(json.contains("device"));
  EXPECT_FALSE(json["units"][0]["time_ms"].contains("device_ms"));
  engine.device = {{"kind", "opencl"}, {"driver", "3.1"}};
  engine.peak_gflops.reset();
  engine.units[0].no_bound_reason = kNoDeviceCeilings;
  engine.units[0].bound.clear();
  engine.units[0].percent_of_peak.reset();
  std::vector<Sample>& samples = engine.units[0].time->samples;
  samples = {{.wall_s = 0.002, .device_s = 0.0015},
             {.wall_s = 0.002, .device_s = 0.0017},
             {.wall_s = 0.002, .device_s = 0.0016},
             {.wall_s = 1, .device_s = 0.9, .flag = "preempted"}};
  json = profile_json(result)["engines"][0];
  EXPECT_EQ(json["device"]["driver"], "3.1");
  EXPECT_EQ(json["units"][0]["time_ms"]["device_ms"], 1.6);
  EXPECT_EQ(json["units"][0]["time_ms"]["device_clock"], "event");
  for (const char* field : {"bound_reason", "percent_of_peak_reason"}) {
    EXPECT_EQ(json["units"][0][field], kNoDeviceCeilings) << field;
  }
  EXPECT_EQ(json["peak_gflops_reason"], kNoDeviceCeilings);
  samples.push_back({.wall_s = 0.009, .device_s = 0.008, .process = 1});
  samples.push_back({.wall_s = 0.009, .device_s = 0.007, .process = 2});
  json = profile_json(result)["engines"][0];
  EXPECT_EQ(json["units"][0]["time_ms"]["device_ms"], 7.0) << "one median a process";
  samples = {{.wall_s = 0.002, .device_s = 0.004, .flag = "preempted"},
             {.wall_s = 0.002, .device_s = 0.002, .flag = "preempted"}};
  json = profile_json(result)["engines"][0];
  EXPECT_EQ(json["units"][0]["time_ms"]["device_ms"], 3.0) << "no sample is clean";
}

TEST(ProfileJson, SaysWhyAFieldIsNull) {
  const Json units = profile_json(sample_profile())["engines"][0]["units"];
  EXPECT_TRUE(units[2]["time_ms"].is_null());
  EXPECT_EQ(units[2]["time_ms_reason"], "run_error: killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(units[2]["failure"]["kind"], "run_error");
  EXPECT_TRUE(units[0]["failure"].is_null());
  EXPECT_TRUE(units[1]["gflops_per_s"].is_null());
  EXPECT_EQ(units[1]["gflops_per_s_reason"], "FLOPs or time not known");
  EXPECT_TRUE(units[1]["reproducer"].is_null());
  EXPECT_EQ(units[1]["reproducer_reason"], "the engine runs it inside its model only");
}

TEST(ProfileJson, GivesAllTimesOfAModelThatDidNotRunTheSameReason) {
  ProfileResult result = sample_profile();
  result.engines[0].model = {.end_to_end_reason = "its result is wrong"};
  const Json model = profile_json(result)["engines"][0]["model"];
  for (const char* field : {"end_to_end_ms", "sum_in_place_ms", "dispatch_ms", "gap_percent"}) {
    EXPECT_TRUE(model[field].is_null());
    EXPECT_EQ(model[std::string(field) + "_reason"], "its result is wrong") << field;
  }
}

TEST(ProfileJson, SaysWhetherARowIsCold) {
  ProfileResult result = sample_profile();
  std::vector<UnitResult>& units = result.engines[0].units;
  units[0].is_cold = false;
  units[1].no_cold_reason = "the caches are hot";
  const Json json = profile_json(result)["engines"][0]["units"];
  EXPECT_EQ(json[0]["cold"], false);
  EXPECT_FALSE(json[0].contains("cold_reason"));
  EXPECT_TRUE(json[1]["cold"].is_null());
  EXPECT_EQ(json[1]["cold_reason"], "the caches are hot");
  EXPECT_EQ(json[2]["cold_reason"], "run_error: killed by signal 11 (SIGSEGV)");
}

TEST(ProfileJson, HoldsNoInfinity) {
  ProfileResult result = sample_profile();
  result.engines[0].check.max_relative_error = std::numeric_limits<double>::infinity();
  const Json check = profile_json(result)["engines"][0]["check"];
  EXPECT_TRUE(check["max_relative_error"].is_null());
  EXPECT_EQ(check["max_relative_error_reason"], "not a finite number");
}

TEST(ProfileJson, BearsAnEnvironmentThatWasNotCaptured) {
  ProfileResult result = sample_profile();
  result.environment = {};
  const Json json = profile_json(result);
  EXPECT_TRUE(json["environment"].is_null());
  EXPECT_EQ(json["environment_reason"], "not captured");
}

TEST(ProfileJson, IsReadAsFarAsOthersAskForIt) {
  ProfileResult result = sample_profile();
  UnitResult& conv = result.engines[0].units[0];
  conv.occurrences = {{{"a"}, 2.0, 0.25}, {{"b"}, {}, {}}};
  result.engines[0].model.inconclusive = "the machine is restless";
  const Json json = profile_json(result);
  ASSERT_TRUE(is_profile(json));
  const ProfileResult read = profile_of(json);
  EXPECT_EQ(read.model, "tiny");
  EXPECT_EQ(read.run_id, "r1");
  EXPECT_EQ(read.sha256, "");
  EXPECT_EQ(read.scope, "model");
  ASSERT_EQ(read.engines.size(), 1U);
  const EngineResult& engine = read.engines[0];
  EXPECT_EQ(engine.engine, "halide");
  EXPECT_EQ(engine.threads, 1);
  EXPECT_EQ(engine.model.end_to_end->median_ms, 10);
  EXPECT_EQ(engine.model.end_to_end->q3_ms, 10);
  EXPECT_EQ(engine.model.inconclusive, "the machine is restless");
  ASSERT_EQ(engine.units.size(), 3U);
  EXPECT_EQ(workload_text(engine.units[0].identity), workload_text(conv.identity));
  EXPECT_EQ(engine.units[0].identity.schedule, conv.identity.schedule);
  EXPECT_EQ(layouts_of(engine.units[0].identity), layouts_of(conv.identity));
  EXPECT_EQ(engine.units[0].in_place_ms, 2.25);
  ASSERT_EQ(engine.units[0].occurrences.size(), 2U);
  EXPECT_EQ(engine.units[0].occurrences[0].in_place_ms, 2.0);
  EXPECT_EQ(engine.units[0].occurrences[0].in_place_error_ms, 0.25);
  EXPECT_FALSE(engine.units[0].occurrences[1].in_place_ms);
  EXPECT_TRUE(workload_text(engine.units[2].identity).empty());
  EXPECT_FALSE(engine.units[2].in_place_ms);
}

TEST(ProfileJson, IsReadWhereMuchOfItIsMissing) {
  EXPECT_FALSE(is_profile(Json::parse(R"({"schema": "opbench.sweep/1"})")));
  EXPECT_FALSE(is_profile(Json::parse("[]")));
  const Json json = Json::parse(R"({"schema": "opbench.profile/1", "engines": [1, {"units": [7,
      {"layouts": ["x", 8], "in_place_ms": 0, "occurrences": [5]}], "model": {"end_to_end_ms": null}}]})");
  const ProfileResult read = profile_of(json);
  ASSERT_EQ(read.engines.size(), 2U);
  EXPECT_EQ(read.engines[0].threads, 0);
  EXPECT_FALSE(read.engines[1].model.end_to_end);
  ASSERT_EQ(read.engines[1].units.size(), 2U);
  EXPECT_EQ(read.engines[1].units[1].identity.texts.layouts, std::vector<int>{8});
  EXPECT_FALSE(read.engines[1].units[1].in_place_ms);
  EXPECT_EQ(read.engines[1].units[1].occurrences.size(), 1U);
}

}  // namespace
}  // namespace opbench
