#include "presentation/report/profile/profile_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measuring/results/profile_json.h"
#include "sample_profile.h"

namespace opbench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kProfileTableGolden = R"(model     tiny (zoo), batch 1
target    llvm -mcpu=core-avx2, hot cache, seed 0
machine   A CPU, 2 cores, 4 CPUs, L1 32 KiB, L2 1 MiB, memory 8 GiB
          kernel 6.1, governor performance
noise     quiet

engine    halide 0.1.0 (halide 14.0.0), 1 thread on CPU 0
measured  peak 117 GFLOP/s, call overhead 0.0008 ms

operator     shapes                   count  isolated      ±  in model  total   share  cumulated     rate  of peak  traffic  bound
                                                   ms               ms     ms                     GFLOP/s              GB/s
conv2d+relu  64x56x56 k3 -> 64x56x56      4     2.000  0.5 %     2.250  9.000  90.0 %     90.0 %      104     88 %      1.6  compute
    opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu'
max_pool     64x112x112 k3 s2             1    0.0500  2.0 %         -  1.000  10.0 %    100.0 %        -        -        -  -
softmax      1x1000                       1    failed                -      -       -          -        -        -        -  -
    failed: run_error: killed by signal 11 (SIGSEGV)

sum in model 9.900 ms + dispatch 0.0500 ms = 9.950 ms; end to end 10.000 ms [9.970, 10.030]; gap 0.5 %
the profiler's own slow-down 1.2 %
key operators: the first 1 of 3 rows take 90.0 %: conv2d+relu
failed: 1 of 3 rows
check against onnxruntime: passed, largest relative error 2.5e-06
)";

TEST(ProfileTable, ShowsEverythingInOneView) {
  EXPECT_EQ(profile_table(sample_profile(), 0, {}), kProfileTableGolden);
}

TEST(ProfileTable, FitsANarrowTerminal) {
  const std::string text = profile_table(sample_profile(), 80, {});
  EXPECT_THAT(text,
              ContainsRegex("operator +shapes +count +isolated +in model +total +share +bound\n"));
  EXPECT_THAT(text, HasSubstr("(too narrow for: ±, cumulated, rate, of peak, traffic)\n"));
  EXPECT_THAT(text, HasSubstr("opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu'\n"));
}

TEST(ProfileTable, MarksRowsThatAreNotCold) {
  ProfileResult result = sample_profile();
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("cache\n")));
  result.engines[0].units[0].is_cold = true;
  result.engines[0].units[1].is_cold = false;
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("  bound    cache\n"));
  EXPECT_THAT(text, HasSubstr("  compute  cold\n"));
  EXPECT_THAT(text, HasSubstr("  -        not cold\n"));
  EXPECT_THAT(text, HasSubstr("  -        -\n"));
  EXPECT_THAT(profile_markdown(result), HasSubstr("| - | not cold |"));
  EXPECT_THAT(profile_csv(result), HasSubstr("pads=1,1,1,1; relu'\",true,,unit,tiny,hot,hot,"));
}

TEST(ProfileTable, CallsNoRowFailedThatWasNotMeasuredYet) {
  ProfileResult result = sample_profile();
  for (UnitResult& unit : result.engines[0].units) {
    unit.failure = Failure{FailureKind::kCancelled, "interrupted before it was measured"};
    unit.time.reset();
  }
  std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, Not(HasSubstr("failed")));
  EXPECT_THAT(text, HasSubstr("interrupted before 3 of 3 rows were measured in isolation"));
  result.engines[0].units[0].in_place_ms.reset();
  text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("in isolation; the others do not add up to the model\n"));
  EXPECT_THAT(text, Not(HasSubstr("key operators")));
  EXPECT_TRUE(profile_json(result)["engines"][0]["units"][1]["share"].is_null());
}

TEST(ProfileTable, GivesNoIntervalOfASingleSample) {
  ProfileResult result = sample_profile();
  Measurement& time = *result.engines[0].units[0].time;
  time.low_ms = time.high_ms = time.median_ms;
  Measurement& model = *result.engines[0].model.end_to_end;
  model.low_ms = model.high_ms = model.median_ms;
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("  2.000      -     2.250"));
  EXPECT_THAT(text, HasSubstr("end to end 10.000 ms (one sample gives no interval)"));
  const Json json = profile_json(result)["engines"][0]["units"][0]["time_ms"];
  EXPECT_TRUE(json["low"].is_null());
  EXPECT_EQ(json["low_reason"], "one sample gives no interval");
  EXPECT_THAT(profile_csv(result), HasSubstr(",2,,,"));
}

TEST(ProfileTable, SaysHowManyKernelsComeFromTrialsAndFromWhere) {
  ProfileResult result = sample_profile();
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("tuned")));
  result.engines[0].units[0].identity.origin = "r18.log:17";
  EXPECT_THAT(profile_table(result, 0, {}),
              HasSubstr("tuned     kernels of 1 of 3 rows come from a tuning log\n"));
  EXPECT_THAT(profile_csv(result), HasSubstr("relu'\",,r18.log:17,unit,tiny,"));
}

TEST(ProfileTable, PutsSeveralEnginesSideBySide) {
  ProfileResult result = sample_profile();
  result.engines.push_back(sample_engine());
  result.engines[1].engine = "onnxruntime";
  result.engines[1].threads = 2;
  result.engines[1].model.end_to_end = measured(12.5, 0.01);
  result.engines[1].check = {};
  EXPECT_THAT(
      profile_table(result, 0, {}),
      HasSubstr("engine             threads    time      ±  of          to the first  check\n"
                "                                ms\n"
                "halide 0.1.0             1  10.000  0.3 %  end to end        1.00 ×  passed\n"
                "onnxruntime 0.1.0        2  12.500  1.0 %  end to end        1.25 ×  -\n"));
}

TEST(ProfileTable, SaysWhyACheckOrATimeIsMissing) {
  EngineResult engine = sample_engine();
  engine.check = {.engine = "onnxruntime", .reason = "it does not load the model"};
  engine.model = {.end_to_end_reason = "run_timeout: 10 s"};
  const std::string text = closing_text(engine, "model");
  EXPECT_THAT(text, HasSubstr("no end-to-end time: run_timeout: 10 s\n"));
  EXPECT_THAT(text, HasSubstr("check against onnxruntime: not made: it does not load the model\n"));
}

TEST(ProfileTable, TellsCheckedEnginesFromTheReference) {
  EngineResult engine = sample_engine();
  engine.check = {.engine = "halide", .max_relative_error = 0, .passed = true, .reason = "it is"};
  EXPECT_THAT(closing_text(engine, "model"),
              HasSubstr("check: its results are what the others are checked against\n"));
  ProfileResult result = sample_profile();
  result.engines.push_back(engine);
  EXPECT_THAT(profile_table(result, 0, {}), HasSubstr("the reference\n"));
  engine.check = {.engine = "none", .reason = "not asked for"};
  EXPECT_THAT(closing_text(engine, "model"), HasSubstr("check: not asked for\n"));
}

TEST(ProfileTable, SaysWhyARateLiesAboveThePeak) {
  EngineResult engine = sample_engine();
  EXPECT_THAT(closing_text(engine, "model"), Not(HasSubstr("above the peak")));
  engine.units[0].percent_of_peak = 212;
  EXPECT_THAT(closing_text(engine, "model"), HasSubstr("1 row is above the peak: FLOPs are"));
}

TEST(ProfileTable, NamesTheWorkloadInFull) {
  ProfileResult result = sample_profile();
  result.scope = "unit";
  result.workload = "relu 1x64";
  EXPECT_THAT(profile_table(result, 0, {}), HasSubstr("workload  relu 1x64\n"));
}

TEST(ProfileTable, MakesAFailedCheckVisible) {
  EngineResult engine = sample_engine();
  engine.check.passed = false;
  engine.check.reason = "tensor \"prob\"";
  EXPECT_THAT(closing_text(engine, "model"), HasSubstr("FAILED, largest relative error 2.5e-06"));
}

TEST(ProfileTable, HasNoBooksForASingleWorkload) {
  EXPECT_THAT(closing_text(sample_engine(), "unit"), Not(HasSubstr("end to end")));
}

TEST(ProfileTable, KeepsControlCharactersOfNamesOffTheTerminal) {
  ProfileResult result = sample_profile();
  result.engines[0].units[0].identity.operator_text = "evil\033[2J";
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("\033")));
}

TEST(ProfileMarkdown, HasOneTableAnEngineWithTheReproducerAsAColumn) {
  const std::string text = profile_markdown(sample_profile());
  EXPECT_THAT(text, HasSubstr("## tiny\n"));
  EXPECT_THAT(text, HasSubstr("| conv2d+relu | 64x56x56 k3 -> 64x56x56 | 4 | 2.000 | 0.5 % |"));
  EXPECT_THAT(text, HasSubstr("`opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu'`"));
}

TEST(ProfileCsv, HasOneLineAUnitInFullPrecision) {
  const std::string text = profile_csv(sample_profile());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, HasSubstr("\nhalide,0.1.0,1,conv2d+relu,64x56x56 k3 -> 64x56x56,4,2,1.99,"));
  EXPECT_THAT(text, HasSubstr("run_error: killed by signal 11 (SIGSEGV)"));
}

TEST(ProfileCsv, HasOneLineAModel) {
  ProfileResult result = sample_profile();
  EXPECT_THAT(profile_csv(result), HasSubstr("\nhalide,0.1.0,1,,,1,10,9.97,10.03,,"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",model,tiny,hot,,9.9,0.05,,0.5,,,,,,wall,,,,\n"));
  result.engines[0].model.inconclusive = "every run was disturbed";
  EXPECT_THAT(profile_csv(result), HasSubstr(",9.9,0.05,,,every run was disturbed,,,,,wall,,,,\n"));
  result.scope = "unit";
  EXPECT_THAT(profile_csv(result), Not(HasSubstr(",model,tiny,hot,")));
}

TEST(ProfileTable, MarksEmulatedTimes) {
  ProfileResult result = sample_profile();
  EXPECT_FALSE(profile_json(result)["engines"][0].contains("emulator"));
  result.engines[0].emulator = "qemu-aarch64 7.2.22";
  EXPECT_THAT(profile_table(result, 0, {}),
              HasSubstr("emulated  qemu-aarch64 7.2.22: times say nothing of the target\n"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",qemu-aarch64 7.2.22,,emulated,,,,\n"));
  EXPECT_EQ(profile_json(result)["engines"][0]["emulator"], "qemu-aarch64 7.2.22");
}

TEST(ProfileTable, ShowsADevicesTimesBesideTheWallClocks) {
  ProfileResult result = sample_profile();
  EngineResult& engine = result.engines[0];
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("copies")));
  engine.device = {{"description", "Mali-T860"}, {"platform", "ARM"}};
  Measurement& unit = *engine.units[0].time;
  unit.device_ms = 1.5;
  Measurement& model = *engine.model.end_to_end;
  model.device_ms = 9.25;
  model.copies_ms = 0.5;
  model.without_copies_ms = 9.5;
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("device    Mali-T860, ARM\n"));
  EXPECT_THAT(text, HasSubstr("end to end without copies 9.500 ms; copies take 0.500 ms by the "
                              "device's clock\n"));
  EXPECT_THAT(profile_markdown(result), HasSubstr("end to end without copies 9.500 ms"));
  const std::string csv = profile_csv(result);
  EXPECT_THAT(csv, HasSubstr(",emulator,device,clock,device_ms,device_clock,copies_ms,"
                             "without_copies_ms\n"));
  EXPECT_THAT(csv, HasSubstr(",\"Mali-T860, ARM\",wall,1.5,event,,\n"));
  EXPECT_THAT(csv, HasSubstr(",\"Mali-T860, ARM\",wall,9.25,event,0.5,9.5\n"));
  const Json json = profile_json(result)["engines"][0]["model"]["end_to_end_ms"];
  EXPECT_EQ(json["clock"], "wall");
  EXPECT_EQ(json["device_clock"], "event");
  EXPECT_EQ(json["without_copies_ms"], 9.5);
}

TEST(ProfileTable, PrintsNoGapOfBooksThatAreInconclusive) {
  EngineResult engine = sample_engine();
  engine.model.gap_percent = -28;
  engine.model.inconclusive = "every run of the model disturbed (preempted 21)";
  const std::string text = closing_text(engine, "model");
  EXPECT_THAT(text, HasSubstr("; gap inconclusive: every run of the model disturbed"));
  EXPECT_THAT(text, Not(HasSubstr("28")));
  const Json model = profile_json({.scope = "model", .engines = {engine}})["engines"][0]["model"];
  EXPECT_TRUE(model["gap_percent"].is_null());
  EXPECT_EQ(model["gap_percent_reason"], "inconclusive: " + engine.model.inconclusive);
  EXPECT_EQ(model["books"], "inconclusive");
}

TEST(ProfileTable, PutsTheCallOverheadIntoTheSum) {
  EngineResult engine = sample_engine();
  engine.model.call_overhead_ms = 0.006;
  EXPECT_THAT(closing_text(engine, "model"),
              HasSubstr("sum in model 9.900 ms + dispatch 0.0500 ms + call overhead 0.00600 ms = "
                        "9.956 ms; end to end"));
}

TEST(ProfileTable, SaysTheCacheModeOfEveryColumnWhereCachesAreCold) {
  ProfileResult result = sample_profile();
  result.cache = "cold-weights";
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("ms cold"));
  EXPECT_THAT(text, HasSubstr("ms hot"));
  EXPECT_THAT(text, HasSubstr("GFLOP/s cold"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",unit,tiny,cold-weights,hot,"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",model,tiny,hot,"));
  const Json caches = profile_json(result)["engines"][0]["caches"];
  EXPECT_EQ(caches["time_ms"], "cold-weights");
  EXPECT_EQ(caches["in_place_ms"], "hot");
  EXPECT_EQ(caches["total_ms"], "hot");
}

/// A workload in two engines with cold caches: one runs it as a unit, one is timed end to end.
ProfileResult cold_workload() {
  ProfileResult result = sample_profile();
  result.scope = "unit";
  result.cache = "cold-weights";
  result.engines[0].units.resize(1);
  result.engines[0].units[0].count = 1;
  result.engines.push_back(sample_engine());
  result.engines[1].engine = "onnxruntime";
  return result;
}

TEST(ProfileTable, RanksNoHotTimeAgainstAColdOne) {
  const ProfileResult result = cold_workload();
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, ContainsRegex("2\\.000 +0\\.5 % +the isolated unit, cold-weights +1\\.00 ×"));
  EXPECT_THAT(text, ContainsRegex("10\\.000 +0\\.3 % +end to end, hot +- "));
}

TEST(ProfileTable, RanksAWorkloadOfSeveralUnitsByAllOfThemInOneCacheMode) {
  ProfileResult result = cold_workload();
  result.engines[1].model.alone = measured(3, 0.01);
  EXPECT_THAT(profile_table(result, 0, {}),
              ContainsRegex("3\\.000 +1\\.0 % +all units, cold-weights +1\\.50 ×"));
}

TEST(ProfileTable, HasAColumnAPercentileThatEnoughSamplesStandBehind) {
  ProfileResult result = sample_profile();
  result.percentiles = {50, 90};
  Measurement& time = *result.engines[0].units[0].time;
  time.samples.clear();
  for (int i = 0; i < 40; ++i) time.samples.push_back({.wall_s = 1e-3 * (1 + i / 39.0)});
  const std::string text = profile_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("p50  p90\n"));
  EXPECT_THAT(text, HasSubstr("compute  1.500    -\n"));
  EXPECT_THAT(text, HasSubstr("end to end p50 not known: 2 samples of 20, p90 not known"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",p50_ms,p90_ms\n"));
  const Json unit = profile_json(result)["engines"][0]["units"][0]["time_ms"]["percentiles"];
  EXPECT_NEAR(unit["p50"].get<double>(), 1.5, 1e-9);
  EXPECT_EQ(unit["p90_reason"], "40 samples of 100 that it needs");
}

TEST(ProfileTable, SaysWhichEngineIsWrong) {
  ProfileResult result = sample_profile();
  EngineResult& engine = result.engines[0];
  engine.units[0].remark = "other is wrong here";
  EXPECT_THAT(profile_table(result, 0, {}), HasSubstr("    other is wrong here\n    opbench op"));
  EXPECT_EQ(profile_json(result)["engines"][0]["units"][0]["remark"], "other is wrong here");
  EXPECT_THAT(profile_csv(result), HasSubstr(",other is wrong here,,,wall,"));
  engine.check = {.engine = "halide",
                  .max_relative_error = 0.04,
                  .passed = false,
                  .reason = "the others are checked against it"};
  EXPECT_THAT(closing_text(engine, "model"),
              HasSubstr("check against the exact reference: FAILED, largest relative error "
                        "4.0e-02: the others are checked against it\n"));
  EXPECT_THAT(profile_csv(result), HasSubstr(",the others are checked against it,,,wall,"));
}

}  // namespace
}  // namespace opbench
