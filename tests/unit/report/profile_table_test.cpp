#include "opbench/report/profile_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_profile.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kGolden = R"(model     tiny (zoo), batch 1
target    llvm -mcpu=core-avx2, hot cache, seed 0
machine   A CPU, 2 cores, 4 CPUs, L1 32 KiB, L2 1 MiB, memory 8 GiB
          kernel 6.1, governor performance
noise     quiet

engine    halide 0.1.0 (halide 14.0.0), 1 thread on CPU 0
measured  peak 117 GFLOP/s, call floor 0.0008 ms

operator     shapes                   count   alone      ±  in place  total   share  cumulated     rate  of peak  traffic  bound
                                                 ms               ms     ms                     GFLOP/s              GB/s
conv2d+relu  64x56x56 k3 -> 64x56x56      4   2.000  0.5 %     2.250  9.000  90.0 %     90.0 %      104     88 %      1.6  compute
    opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu'
max_pool     64x112x112 k3 s2             1  0.0500  2.0 %         -  1.000  10.0 %    100.0 %        -        -        -  -
softmax      1x1000                       1  failed                -      -       -          -        -        -        -  -
    failed: run_error: killed by signal 11 (SIGSEGV)

sum in place 9.900 ms + dispatch 0.0500 ms = 9.950 ms; end to end 10.000 ms [9.970, 10.030]; gap 0.5 %
the profiler's own slow-down 1.2 %
key operators: the first 1 of 3 rows take 90.0 %: conv2d+relu
failed: 1 of 3 rows
check against onnxruntime: passed, largest relative error 2.5e-06
)";

TEST(ProfileTable, ShowsEverythingInOneView) {
  EXPECT_EQ(profile_table(sample_profile(), 0, {}), kGolden);
}

TEST(ProfileTable, FitsANarrowTerminal) {
  const std::string text = profile_table(sample_profile(), 80, {});
  EXPECT_THAT(text, HasSubstr("(too narrow for: ±, cumulated, rate, traffic, bound)\n"));
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
  EXPECT_THAT(profile_csv(result), HasSubstr("pads=1,1,1,1; relu'\",true,\n"));
}

TEST(ProfileTable, SaysHowManyKernelsComeFromTrialsAndFromWhere) {
  ProfileResult result = sample_profile();
  EXPECT_THAT(profile_table(result, 0, {}), Not(HasSubstr("tuned")));
  result.engines[0].units[0].origin = "r18.log:17";
  EXPECT_THAT(profile_table(result, 0, {}),
              HasSubstr("tuned     kernels of 1 of 3 rows come from a tuning log\n"));
  EXPECT_THAT(profile_csv(result), HasSubstr("relu'\",,r18.log:17\n"));
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
  result.engines[0].units[0].operator_text = "evil\033[2J";
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
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_THAT(text, HasSubstr("\nhalide,0.1.0,1,conv2d+relu,64x56x56 k3 -> 64x56x56,4,2,1.99,"));
  EXPECT_THAT(text, HasSubstr("run_error: killed by signal 11 (SIGSEGV)"));
}

}  // namespace
}  // namespace opbench
