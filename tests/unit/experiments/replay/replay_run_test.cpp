#include "experiments/replay/replay_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "experiments/sessions/request/replay_request.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kEnvironment = R"({
  "machine": {"cpu_model": "Xeon 5"}, "state": {}, "software": {"distribution": "Debian 12"},
  "machine_hash": "m1", "software_hash": "s1"})";

Measurement time_of(double ms) {
  Measurement time;
  time.median_ms = time.mean_ms = ms;
  time.low_ms = 0.99 * ms;
  time.high_ms = 1.01 * ms;
  time.min_ms = 0.98 * ms;
  return time;
}

UnitResult unit(const std::string& text, const std::string& shapes, double ms) {
  UnitResult result;
  result.identity = {.operator_text = text,
                     .schedule = "plain",
                     .texts = {.workload = text + " 4", .shapes = shapes}};
  result.time = time_of(ms);
  return result;
}

/// Two engines; two units of the first differ in their shapes only, one of the second has a time in
/// place only.
ProfileResult profile() {
  ProfileResult result;
  result.run_id = "r1";
  result.timestamp = "2026-11-21T09:00:00Z";
  result.model = "small";
  result.source = "zoo";
  result.sha256 = "abc";
  result.target = "llvm";
  result.environment = environment_from(Json::parse(kEnvironment));
  result.request_json = request_json({.model = {.name = "small", .is_zoo = true},
                                      .engines = {"halide", "other"},
                                      .measure = {.budget_s = 3}});
  EngineResult first;
  first.engine = "halide";
  first.cpus = {0};
  first.model.end_to_end = time_of(4);
  first.units = {unit("layout", "NCHW", 1), unit("layout", "NCHW16c", 3)};
  EngineResult second = first;
  second.engine = "other";
  second.units = {unit("Relu", "4", 1)};
  second.units[0].identity.texts.workload.clear();
  second.units[0].time.reset();
  second.units[0].in_place_ms = 2;
  result.engines = {first, second};
  return result;
}

std::vector<ReplayRow> rows_of(const ProfileResult& result) {
  auto items = plan_replay(to_lines(records_of(result).value()));
  EXPECT_TRUE(items) << to_text(items.error());
  std::vector<ReplayRow> rows;
  for (ReplayItem& item : items.value()) {
    rows.push_back({.item = std::move(item), .number = static_cast<int64_t>(rows.size()) + 1});
  }
  return rows;
}

/// A world in which a run gives `now`, and which remembers what was run.
struct World {
  ProfileResult now = profile();
  std::string sha256 = "abc";
  std::vector<ProfileRequest> runs = {};

  ReplayResult replay(std::vector<ReplayRow> rows, const ReplayOptions& options = {},
                      const char* environment = kEnvironment) {
    ReplayHooks hooks;
    hooks.profile = [this](const ProfileRequest& request) -> Result<ProfileResult> {
      runs.push_back(request);
      return now;
    };
    hooks.model_sha256 = [this](const ProfileRequest&) -> Result<std::string> { return sha256; };
    return run_replay(std::move(rows), environment_from(Json::parse(environment)), options, hooks);
  }
};

std::vector<ReplayOutcome> outcomes(const ReplayResult& result) {
  std::vector<ReplayOutcome> all;
  for (const ReplayRow& row : result.rows) all.push_back(row.verdict.outcome);
  return all;
}

TEST(ReplayRun, RepeatsAllRecordsOfARunInOneRun) {
  World world;
  const ReplayResult result = world.replay(rows_of(profile()));
  ASSERT_EQ(result.rows.size(), 5U);
  EXPECT_THAT(outcomes(result), testing::Each(ReplayOutcome::kReproduced));
  ASSERT_EQ(world.runs.size(), 1U);
  EXPECT_THAT(world.runs[0].engines, ElementsAre("halide", "other"));
  EXPECT_EQ(world.runs[0].measure.budget_s, 3);
  EXPECT_EQ(result.rows[1].now->median_ms, 1);
  EXPECT_EQ(result.rows[2].now->median_ms, 3);
  EXPECT_EQ(result.rows[4].now->median_ms, 2);
}

TEST(ReplayRun, SaysWhatTakesLongerNow) {
  World world;
  world.now.engines[0].units[1].time = time_of(3.3);
  world.now.engines[1].units[0].in_place_ms = 2.5;
  EXPECT_THAT(outcomes(world.replay(rows_of(profile()))),
              ElementsAre(ReplayOutcome::kReproduced, ReplayOutcome::kReproduced,
                          ReplayOutcome::kNotReproduced, ReplayOutcome::kReproduced,
                          ReplayOutcome::kNotReproduced));
}

TEST(ReplayRun, RunsOnlyTheEnginesOfTheRecordsAskedFor) {
  World world;
  auto rows = rows_of(profile());
  rows.erase(rows.begin(), rows.begin() + 3);
  world.replay(std::move(rows), {.budget_s = 0.5});
  ASSERT_EQ(world.runs.size(), 1U);
  EXPECT_THAT(world.runs[0].engines, ElementsAre("other"));
  EXPECT_EQ(world.runs[0].measure.budget_s, 0.5);
}

TEST(ReplayRun, MeasuresNothingOnAnotherMachineUnlessForced) {
  constexpr const char* kOther = R"({"machine": {"cpu_model": "Xeon 6"}, "machine_hash": "m2"})";
  World world;
  const ReplayResult idle = world.replay(rows_of(profile()), {}, kOther);
  EXPECT_THAT(outcomes(idle), testing::Each(ReplayOutcome::kNotComparable));
  EXPECT_EQ(idle.rows[0].verdict.reason, "the record is of another machine");
  EXPECT_EQ(idle.rows[0].verdict.differences.front().field, "machine.cpu_model");
  EXPECT_TRUE(world.runs.empty());
  const ReplayResult forced =
      world.replay(rows_of(profile()), {.measures_elsewhere = true}, kOther);
  EXPECT_EQ(world.runs.size(), 1U);
  EXPECT_THAT(outcomes(forced), testing::Each(ReplayOutcome::kNotComparable));
  EXPECT_TRUE(forced.rows[0].now);
}

TEST(ReplayRun, DoesNotCompareAModelThatHasChanged) {
  World world;
  world.sha256 = "def";
  const ReplayResult result = world.replay(rows_of(profile()));
  EXPECT_THAT(outcomes(result), testing::Each(ReplayOutcome::kNotComparable));
  EXPECT_EQ(result.rows[0].verdict.reason, "the model has changed");
  EXPECT_TRUE(world.runs.empty());
}

TEST(ReplayRun, DoesNotCompareUnitsThatAreNoMore) {
  World world;
  world.now.engines[0].units.pop_back();
  world.now.engines.pop_back();
  const ReplayResult result = world.replay(rows_of(profile()));
  EXPECT_THAT(outcomes(result),
              ElementsAre(ReplayOutcome::kReproduced, ReplayOutcome::kReproduced,
                          ReplayOutcome::kNotComparable, ReplayOutcome::kNotComparable,
                          ReplayOutcome::kNotComparable));
}

TEST(ReplayRun, TellsUnitsApartByTheirLayouts) {
  ProfileResult then = profile();
  then.engines[0].units[0].identity.texts.layouts = {0, 0};
  then.engines[0].units[1].identity.texts.layouts = {16, 16};
  for (UnitResult& unit : then.engines[0].units) {
    unit.identity.texts.shapes = "4";
  }
  World world;
  world.now = then;
  EXPECT_THAT(outcomes(world.replay(rows_of(then))), testing::Each(ReplayOutcome::kReproduced));
  world.now.engines[0].units.pop_back();
  EXPECT_EQ(world.replay(rows_of(then)).rows[2].verdict.outcome, ReplayOutcome::kNotComparable);
}

TEST(ReplayRun, TellsFailuresApart) {
  ProfileResult then = profile();
  then.engines[0].units[0].time.reset();
  then.engines[0].units[0].failure = Failure{FailureKind::kRunTimeout, "slow"};
  World world;
  world.now = then;
  world.now.engines[0].units[1].failure = Failure{FailureKind::kRunError, "crash"};
  const ReplayResult result = world.replay(rows_of(then));
  EXPECT_EQ(result.rows[1].verdict.outcome, ReplayOutcome::kReproduced);
  EXPECT_EQ(result.rows[2].verdict.outcome, ReplayOutcome::kFailed);
  EXPECT_THAT(result.rows[2].verdict.reason, HasSubstr("crash"));
}

TEST(ReplayRun, FailsRecordsThatCannotBeRun) {
  ReplayHooks hooks;
  hooks.model_sha256 = [](const ProfileRequest&) -> Result<std::string> {
    return Error{ErrorCode::kInvalidInput, "no file \"x\""};
  };
  const ReplayResult result =
      run_replay(rows_of(profile()), environment_from(Json::parse(kEnvironment)), {}, hooks);
  EXPECT_THAT(outcomes(result), testing::Each(ReplayOutcome::kFailed));
  EXPECT_EQ(result.rows[0].verdict.reason, "it cannot be run: no file \"x\"");
}

TEST(ReplayRun, KeepsWhatWasJudgedBeforeAnInterruption) {
  ProfileResult second = profile();
  second.run_id = "r2";
  auto rows = rows_of(profile());
  for (ReplayRow& row : rows_of(second)) rows.push_back(std::move(row));
  std::atomic<bool> cancel = false;
  int runs = 0;
  ReplayHooks hooks;
  hooks.model_sha256 = [](const ProfileRequest&) -> Result<std::string> { return "abc"; };
  hooks.profile = [&](const ProfileRequest&) -> Result<ProfileResult> {
    cancel = ++runs == 2;
    return profile();
  };
  const ReplayResult result = run_replay(
      std::move(rows), environment_from(Json::parse(kEnvironment)), {.cancel = &cancel}, hooks);
  EXPECT_TRUE(result.is_interrupted);
  EXPECT_EQ(result.rows.size(), 5U);
}

TEST(ReplayRequest, ComesBackFromItsText) {
  ProfileRequest request;
  request.model.name = "a.onnx";
  request.model.layouts = {8, 0};
  request.engines = {"halide"};
  request.threads = {2};
  request.settings.cpus = {3, 1};
  request.model.extents.batch_size = 4;
  request.model.extents.shapes = {{"x", {1, 3}}};
  request.model.inputs = {{"x", "x.npy"}};
  request.model.seed = 18446744073709551615U;
  request.model.randomize_weights = 5;
  request.measure.check_engine = "none";
  request.measure.cache = CacheMode::kColdWeights;
  request.measure.budget_s = 0.25;
  request.measure.precision = 0.02;
  request.settings.target = "llvm -mcpu=core-avx2";
  ReplayItem item;
  item.record.engine = "halide";
  item.threads = 2;
  item.request = request_json(request);
  const auto back = replay_request({&item});
  ASSERT_TRUE(back);
  EXPECT_EQ(request_json(*back), item.request);
}

TEST(ReplayRequest, IsPutTogetherFromTheFieldsOfOtherRecords) {
  ReplayItem item;
  item.record.engine = "onnxruntime";
  item.record.cache = "cold-all";
  item.record.target = "llvm";
  item.source = "dir/a.onnx";
  item.threads = 2;
  item.cpus = {0, 1};
  item.batch_size = 8;
  item.seed = 3;
  const auto request = replay_request({&item});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->model.name, "dir/a.onnx");
  EXPECT_FALSE(request->model.is_zoo);
  EXPECT_THAT(request->settings.cpus, ElementsAre(0, 1));
  EXPECT_EQ(request->model.extents.batch_size, 8);
  EXPECT_EQ(request->measure.cache, CacheMode::kColdAll);
  EXPECT_EQ(request->settings.target, "llvm");
  item.source = "workload";
  item.identity.texts = {.workload = "relu 4", .shapes = {}, .layouts = {8, 8}};
  EXPECT_EQ(replay_request({&item})->model.workload, "relu 4");
  EXPECT_THAT(replay_request({&item})->model.layouts, ElementsAre(8, 8));
  item.source = "";
  EXPECT_FALSE(replay_request({&item}));
}

}  // namespace
}  // namespace opbench
