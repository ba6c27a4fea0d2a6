#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <string>
#include <vector>

#include "experiments/sessions/model/model_source.h"
#include "experiments/sweep/sweep_request.h"
#include "machine/facts/environment.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kText = "conv2d 1x8x6x6 w:8x8x3x3";

ProfileRequest base() {
  ProfileRequest request;
  request.model.workload = kText;
  request.measure.check_engine = "none";
  request.notes.argv = {"opbench", "op"};
  return request;
}

SweepPlan plan(std::vector<SweepKey> keys, ProfileRequest request = base()) {
  return SweepPlan::make(std::move(request), std::move(keys)).value();
}

Measurement time_of(double ms) {
  Measurement time{.median_ms = ms, .low_ms = 0.99 * ms, .high_ms = 1.01 * ms};
  time.min_ms = time.mean_ms = ms;
  time.stop_reason = "precision";
  time.samples = {{.wall_s = ms * 1e-3}};
  return time;
}

/// A machine on which a call takes one millisecond for each item and engine thread; oneDNN fails at
/// two threads.
class FakeMachine {
 public:
  Result<ProfileResult> operator()(const ProfileRequest& request) {
    requests.push_back(request);
    ProfileResult result;
    result.run_id = std::to_string(requests.size());
    result.timestamp = "2026-11-21T09:00:00Z";
    result.environment = capture_environment();
    result.scope = "unit";
    result.argv = request.notes.argv;
    result.workload = request.model.workload;
    result.sha256 = load_model(request.model, request.measure, request.hooks)->sha256;
    for (const int threads : request.threads) {
      for (const std::string& engine : request.engines) {
        if (engine == "onednn" && threads == 2) {
          return Error{ErrorCode::kInvalidInput, "too many threads"};
        }
        result.engines.push_back(engine_result(request, engine, threads));
      }
    }
    return result;
  }

  std::vector<ProfileRequest> requests;

 private:
  static EngineResult engine_result(const ProfileRequest& request, const std::string& engine,
                                    int threads) {
    const Workload workload = parse_workload(request.model.workload).value();
    const double ms = static_cast<double>(batch_of(workload)) / threads;
    EngineResult engine_run{.engine = engine, .version = "1", .threads = threads};
    engine_run.peak_gflops = 100;
    if (engine == "onnxruntime") {
      engine_run.model.end_to_end = time_of(ms);
      engine_run.units = {
          {.identity = {.operator_text = "Conv"}, .in_place_ms = 0.9 * ms, .total_ms = 0.9 * ms}};
      return engine_run;
    }
    UnitResult unit{.identity = {.operator_text = "conv2d", .workload = workload}};
    unit.time = time_of(ms);
    unit.flops = flops_of(workload);
    unit.bound = "compute";
    engine_run.units = {unit};
    return engine_run;
  }
};

std::vector<double> times(const SweepResult& result) {
  std::vector<double> all;
  for (const SweepPoint& point : result.points) {
    all.push_back(point.time ? point.time->median_ms : -1);
  }
  return all;
}

TEST(SweepPlan, RefusesWhatCannotBe) {
  const auto refused = [](std::vector<SweepKey> keys) {
    const auto made = SweepPlan::make(base(), std::move(keys));
    return made ? "" : made.error().message;
  };
  EXPECT_THAT(refused({}), HasSubstr("nothing to sweep over"));
  EXPECT_THAT(refused({{"batch", {"1"}}, {"N", {"2"}}}), HasSubstr("set the same"));
  EXPECT_THAT(refused({{"batch", {"1"}}, {"batch", {"2"}}}), HasSubstr("twice"));
  std::vector<std::string> many;
  for (int i = 1; i <= 101; ++i) many.push_back(std::to_string(i));
  EXPECT_THAT(refused({{"C", many}, {"K", many}}), HasSubstr("10201 points"));
}

TEST(SweepPlan, MakesListsOfOptionsKeysBeforeTheOthers) {
  ProfileRequest request = base();
  request.engines = {"halide", "onednn"};
  request.threads = {1, 2, 1};
  const SweepPlan made = plan({{"batch", {"1", "4"}}}, request);
  EXPECT_EQ(made.size(), 8U);
  EXPECT_THAT(made.point(3).values, ElementsAre("halide", "2", "4"));
  EXPECT_THAT(made.groups(), SizeIs(2));
}

TEST(SweepPlan, GivesEveryPointTheCommandThatMeasuresIt) {
  const SweepPlan made = plan({{"threads", {"1", "2"}}, {"batch", {"4"}}});
  EXPECT_THAT(made.request(1)->notes.argv,
              ElementsAre("opbench", "op", "conv2d 4x8x6x6 w:8x8x3x3", "--engine", "halide",
                          "--threads", "2", "--cache", "hot"));
}

TEST(SweepPlan, SetsInputsOfAModelThoughTheyAreFixed) {
  ProfileRequest request;
  request.model.name = "resnet-18";
  request.model.is_zoo = true;
  const SweepPlan made = plan({{"batch", {"2"}}, {"data.2", {"112", "224"}}}, request);
  const ProfileRequest point = made.request(0).value();
  EXPECT_THAT(point.model.extents.shapes.at("data"), ElementsAre(2, 3, 112, 224));
  EXPECT_EQ(made.point(0).batch, 2);
  EXPECT_TRUE(load_model(point.model, point.measure, point.hooks));
}

TEST(RunSweep, MeasuresEnginesAndThreadsOfAPointTogether) {
  FakeMachine machine;
  SweepRequest request{
      .plan = plan(
          {{"engine", {"halide", "onnxruntime"}}, {"batch", {"1", "4"}}, {"threads", {"1", "2"}}})};
  request.profile = std::ref(machine);
  std::vector<size_t> finished;
  request.finished = [&](const SweepPoint& point) { finished.push_back(point.index); };
  const SweepResult result = run_sweep(request);
  EXPECT_THAT(machine.requests, SizeIs(2));
  EXPECT_THAT(times(result), ElementsAre(1, 0.5, 4, 2, 1, 0.5, 4, 2));
  EXPECT_THAT(finished, SizeIs(8));
  EXPECT_EQ(result.points[0].time_of, "alone");
  EXPECT_EQ(result.points[4].time_of, "end to end");
  EXPECT_DOUBLE_EQ(*result.points[0].gflops_per_s, *result.points[0].flops / 1e-3 * 1e-9);
}

TEST(RunSweep, GoesOnAfterAPointThatFails) {
  FakeMachine machine;
  SweepRequest request{
      .plan = plan({{"engine", {"halide", "onednn"}}, {"threads", {"1", "2"}}, {"H", {"2", "6"}}})};
  request.profile = std::ref(machine);
  const SweepResult result = run_sweep(request);
  EXPECT_THAT(times(result), ElementsAre(-1, 1, -1, 0.5, -1, 1, -1, -1));
  EXPECT_THAT(result.points[0].failure, HasSubstr("does not fit"));
  EXPECT_EQ(result.points[7].failure, "too many threads");
}

TEST(RunSweep, TakesRecordedPointsOver) {
  FakeMachine machine;
  std::string lines;
  SweepRequest request{.plan =
                           plan({{"engine", {"halide", "onnxruntime"}}, {"threads", {"1", "2"}}})};
  request.profile = std::ref(machine);
  request.keep = [&](const std::vector<BenchmarkRecord>& records) {
    lines += to_lines(records);
    return true;
  };
  run_sweep(request);
  ASSERT_FALSE(lines.empty());
  SweepRequest again{
      .plan = plan(
          {{"engine", {"halide", "onnxruntime"}}, {"threads", {"1", "2"}}, {"batch", {"1", "4"}}})};
  machine.requests.clear();
  again.profile = std::ref(machine);
  again.recorded = plan_replay(lines).value();
  again.recorded[0].record.software_hash = "another";
  const SweepResult result = run_sweep(again);
  EXPECT_THAT(machine.requests, SizeIs(1));
  EXPECT_EQ(machine.requests[0].model.workload, "conv2d 4x8x6x6 w:8x8x3x3");
  EXPECT_THAT(times(result), ElementsAre(1, 4, 0.5, 2, 1, 4, 0.5, 2));
  EXPECT_TRUE(result.points[0].is_recorded);
  EXPECT_FALSE(result.points[1].is_recorded);
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("1 of the points on record")));
}

TEST(RunSweep, ReportsWhatExistsWhenCancelled) {
  FakeMachine machine;
  std::atomic<bool> cancel = false;
  int kept = 0;
  SweepRequest request{.plan = plan({{"batch", {"1", "2", "4"}}})};
  request.cancel = &cancel;
  request.profile = [&](const ProfileRequest& point) {
    cancel = machine.requests.size() == 1;
    return machine(point);
  };
  request.keep = [&](const std::vector<BenchmarkRecord>&) { return ++kept > 0; };
  const SweepResult result = run_sweep(request);
  EXPECT_THAT(times(result), ElementsAre(1, 2));
  EXPECT_FALSE(result.points[0].is_interrupted);
  EXPECT_TRUE(result.points[1].is_interrupted);
  EXPECT_EQ(kept, 1);
  EXPECT_EQ(result.total, 3U);
}

TEST(RunSweep, EndsWhenRecordsCannotBeKept) {
  FakeMachine machine;
  SweepRequest request{.plan = plan({{"batch", {"1", "2", "4"}}})};
  request.profile = std::ref(machine);
  request.keep = [](const std::vector<BenchmarkRecord>&) { return false; };
  EXPECT_THAT(times(run_sweep(request)), ElementsAre(1));
}

TEST(RunSweep, SaysHowFarItIs) {
  FakeMachine machine;
  SweepRequest request{.plan = plan({{"batch", {"1", "2"}}})};
  request.profile = std::ref(machine);
  std::vector<Progress> seen;
  request.progress = [&](const Progress& progress) { seen.push_back(progress); };
  run_sweep(request);
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen[0].item, "batch=1");
  EXPECT_EQ(seen[1].done, 1);
  EXPECT_EQ(seen[1].total, 2);
  EXPECT_GT(seen[0].eta_s.value_or(0), 20);  // two budgets of 10 s
}

}  // namespace
}  // namespace opbench
