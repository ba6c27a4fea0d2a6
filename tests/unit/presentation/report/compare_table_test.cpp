#include "presentation/report/compare/compare_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "base/text/display_width.h"
#include "presentation/report/compare/compare_json.h"
#include "presentation/report/compare/compare_text.h"
#include "sample_compare.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto kCompareTableGolden = R"(model     tiny (zoo), batch 1
base      halide 1.0, 2 threads on CPUs 0,1
new       onednn 1.0, 2 threads on CPUs 0,1
target    llvm -mcpu=core-avx2, hot cache, seed 0
rows      a row is a fused unit, layout conversions apart
machine   A CPU, 2 cores
noise     quiet machine: the reference kernel varies by 0.3 %
floor     0.8 %: what a variant and itself (A/A) differ by
margin    2 %, or twice a unit's own floor where that is more; less does not count as a difference
          for many units at once: Benjamini-Hochberg, q = 5 %

operator     shapes    count   halide   onednn  verdict       change                    floor
                                   ms       ms
conv2d+relu  64 -> 64      4    2.000    2.122  slower        +6.1 % (5.2 to 7.0)       0.4 %
gemm         64 -> 64      1    1.000    0.500  faster        -50.0 % (-51.0 to -49.0)  0.4 %
max_pool     64 -> 64      1   0.0500   0.0500  same          +0.0 % (-0.5 to 0.4)      0.4 %
add          64 -> 64      1   0.0400   0.0404  inconclusive  +1.0 % (-1.5 to 3.2)      0.4 %
    between -1.5 % and +3.2 %, the margin is 2 %
relu         64 -> 64      1  0.00100  0.00130  -             +30.0 % (10.0 to 50.0)    0.4 %
    shorter than 20 empty calls of onnxruntime
softmax      64 -> 64      1   0.0300        -  failed        -                             -
    failed on the new side: run_error: killed by signal 11 (SIGSEGV)

model 1.9 % faster (1.5 to 2.3 %), 10.200 ms to 10.006 ms
1 unit slower, 1 faster, 1 same, 1 inconclusive, 1 without a verdict, 1 failed
1 inconclusive: about 3 min more would decide it
differs: engine: halide, onednn
differs: software.libc: "2.36", null
halide: check against onnxruntime: passed, largest relative error 2.5e-06
onednn: check against onnxruntime: passed, largest relative error 2.5e-06
)";

TEST(CompareTable, ShowsEverythingInOneView) {
  EXPECT_EQ(compare_table(sample_compare(), 0, {}), kCompareTableGolden);
}

TEST(CompareTable, FitsANarrowTerminal) {
  const std::string text = compare_table(sample_compare(), 80, {});
  EXPECT_THAT(text, HasSubstr("(too narrow for: count, floor)\n"));
  EXPECT_THAT(text, HasSubstr("  2.000    2.122  slower        +6.1 % (5.2 to 7.0)\n"));
}

TEST(CompareTable, KeepsBothTimesOfAnyNameInANarrowTerminal) {
  CompareResult result = sample_compare();
  result.sides[0].label = "main~3, 2 threads";
  result.sides[1].label = "onnxruntime";
  result.comparisons[0].units[0].identity.operator_text = "layer_normalization+add";
  result.comparisons[0].units[0].identity.texts.shapes = "1x128x768 768 768 -> 1x128x768";
  std::istringstream lines(compare_table(result, 80, {}));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("operator")) text = line;
    const bool is_row = line.starts_with("layer_norm") || line.starts_with("gemm");
    if (is_row) {
      EXPECT_LE(display_width(line), 80U) << line;
    }
  }
  EXPECT_THAT(text, HasSubstr("onnxruntime  verdict"));
}

TEST(CompareTable, GivesNoIntervalOfASingleRound) {
  CompareUnit unit = compared("add", 1, Ratio{1.1, 1.1, 1.1}, Verdict::kInconclusive);
  EXPECT_EQ(change_text(unit), "+10.0 % (10.0 to 10.0)");
  unit.rounds = 1;
  EXPECT_EQ(change_text(unit), "+10.0 %");
}

TEST(CompareTable, SaysVerdictsInWordsNotInColourAlone) {
  const std::string plain = compare_table(sample_compare(), 0, {});
  std::string coloured = compare_table(sample_compare(), 0, {.has_colour = true});
  EXPECT_THAT(coloured, HasSubstr("\033["));
  for (const std::string code : {"\033[1m", "\033[2m", "\033[31m", "\033[0m"}) {
    for (size_t at = coloured.find(code); at != std::string::npos; at = coloured.find(code)) {
      coloured.erase(at, code.size());
    }
  }
  EXPECT_EQ(coloured, plain);
}

TEST(CompareTable, MarksWhatWasForced) {
  CompareResult result = sample_compare();
  result.is_forced = true;
  result.incomparable = {"shapes", "model"};
  EXPECT_THAT(compare_table(result, 0, {}),
              HasSubstr("FORCED    what is not comparable was compared; these differ: shapes, "
                        "model\n"));
  EXPECT_THAT(compare_markdown(result), HasSubstr("(FORCED: compared although not comparable)\n"));
}

TEST(CompareTable, ShowsThreeSidesWithTheFastestFirst) {
  const std::string text = compare_table(sample_of_three(), 0, {});
  EXPECT_THAT(text,
              HasSubstr("operator  shapes    count  halide  onednn  onnxruntime  fastest\n"
                        "                               ms      ms           ms\n"
                        "conv2d    64 -> 64      1   2.000   1.600        1.600  tie: onednn, "
                        "onnxruntime\n"
                        "gemm      64 -> 64      1   1.000   0.800        1.001  onednn\n"
                        "relu      64 -> 64      1   0.100   0.100        0.100  ?\n"
                        "model                      10.000   8.000       10.010  onednn\n"));
  EXPECT_THAT(text, HasSubstr("\nonednn against halide\noperator"));
  EXPECT_THAT(text, HasSubstr("\nonnxruntime against onednn\noperator"));
  EXPECT_THAT(text, HasSubstr("what differs between the variants: nothing that is recorded\n"));
}

TEST(CompareTable, NamesSidesThatAreNoEngines) {
  CompareResult result = sample_compare();
  result.sides[1] = side_of("halide");
  result.sides[1].label = "main";
  result.sides[1].build = "../main/opbench";
  result.sides[1].batch_size = 8;
  const std::string text = compare_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("base      halide 1.0, 2 threads on CPUs 0,1, batch 1\n"));
  EXPECT_THAT(text, HasSubstr("new       main: halide 1.0, 2 threads on CPUs 0,1, build "
                              "../main/opbench, OpBench of an unknown commit, batch 8\n"));
}

TEST(CompareTable, TellsSidesOfOneLabelApart) {
  CompareResult result = sample_compare();
  result.sides[1] = result.sides[0];
  EXPECT_THAT(compare_table(result, 0, {}), HasSubstr("  count     base      new  verdict"));
  result = sample_of_three();
  result.sides[2] = result.sides[0];
  const std::string text = compare_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr("  count  halide (1)  onednn  halide (3)  fastest"));
  EXPECT_THAT(text, HasSubstr("\nhalide (3) against onednn\n"));
}

TEST(CompareTable, BearsThatNothingWasCompared) {
  EXPECT_THAT(compare_table({}, 0, {}), HasSubstr("nothing was compared\n"));
  EXPECT_THAT(compare_markdown({}), StartsWith("nothing was compared\n"));
}

TEST(CompareTable, KeepsControlCharactersOfNamesOffTheTerminal) {
  CompareResult result = sample_compare();
  result.comparisons[0].units[0].identity.operator_text = "evil\033[2J";
  result.comparisons[0].units[3].reason = "evil\n\033[2J";
  result.comparisons[0].differences = {"evil\033[2J"};
  result.sides[0].label = "evil\033[2J";
  result.warnings = {"evil\033[2J"};
  EXPECT_THAT(compare_table(result, 0, {}), Not(HasSubstr("\033")));
  EXPECT_THAT(compare_markdown(result), Not(HasSubstr("\033")));
}

TEST(CompareMarkdown, BeginsWithTheOutcome) {
  EXPECT_THAT(
      compare_markdown(sample_compare()),
      StartsWith(
          "**model 1.9 % faster (1.5 to 2.3 %)**, 10.200 ms to 10.006 ms; "
          "1 unit slower, 1 faster, 1 same, 1 inconclusive, 1 without a verdict, 1 failed\n"));
  EXPECT_THAT(compare_markdown(sample_of_three()),
              StartsWith("**onednn is the fastest for the model**\n\n| operator |"));
}

TEST(CompareMarkdown, FoldsWhatIsTheSame) {
  const std::string text = compare_markdown(sample_compare());
  const size_t fold = text.find("<details><summary>1 unit the same</summary>\n\n| operator |");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_GT(text.find("| max_pool |"), fold);
  EXPECT_LT(text.find("| add |"), fold);
  EXPECT_THAT(text, HasSubstr("| inconclusive | +1.0 % (-1.5 to 3.2) | 0.4 % | between -1.5 %"));
  EXPECT_EQ(text.find("</details>\n\n- 1 inconclusive"), text.find("</details>"));
}

TEST(CompareMarkdown, EscapesWhatItWouldTakeForItsOwn) {
  CompareResult result = sample_compare();
  result.comparisons[0].units[0].identity.operator_text = "a|b*c*<b>`d`[e]";
  result.sides[1].label = "<i>";
  const std::string text = compare_markdown(result);
  EXPECT_THAT(text, HasSubstr("| a\\|b\\*c\\*\\<b>\\`d\\`\\[e] | 64 -> 64 |"));
  EXPECT_THAT(text, HasSubstr("| \\<i> ms |"));
}

TEST(CompareCsv, HasOneLineAUnitAndOneForTheModelOfEveryPair) {
  const std::string text = compare_csv(sample_compare());
  EXPECT_EQ(std::ranges::count(text, '\n'), 8);
  EXPECT_THAT(text, HasSubstr("\nhalide,onednn,conv2d+relu,64 -> 64,4,2,1.99,2.01,2.122,"));
  EXPECT_THAT(text, HasSubstr(",1.061,1.052,1.07,slower,"));
  EXPECT_THAT(text, HasSubstr("\nhalide,onednn,model,"));
  EXPECT_THAT(text, HasSubstr(",,,,,,,failed on the new side"));
  const std::string wide = compare_csv(sample_of_three());
  EXPECT_EQ(std::ranges::count(wide, '\n'), 13);
}

TEST(CompareCsv, NamesDevicesAndClocks) {
  CompareResult result = sample_compare();
  EXPECT_THAT(compare_csv(result), HasSubstr(",,,wall,wall,,,,\n"));
  EXPECT_THAT(compare_table(result, 0, {}), Not(HasSubstr("device")));
  result.sides[1].device = {{"description", "Mali-T860"}};
  result.comparisons[0].model.candidate->device_ms = 9;
  result.comparisons[0].model.candidate->copies_ms = 1;
  result.comparisons[0].model.candidate->without_copies_ms = 8.5;
  EXPECT_THAT(compare_csv(result), HasSubstr(",,Mali-T860,wall,wall,,9,,8.5\n"));
  const std::string text = compare_table(result, 0, {});
  EXPECT_THAT(text, HasSubstr(", device Mali-T860"));
  EXPECT_THAT(text, HasSubstr("onednn device"));
  EXPECT_THAT(text, HasSubstr("onednn without copies: 8.500 ms of "));
  EXPECT_EQ(compare_json(result)["new"]["device"]["description"], "Mali-T860");
  EXPECT_FALSE(compare_json(result)["base"].contains("device"));
}

TEST(CompareCsv, QuotesCommasQuotesAndLines) {
  CompareResult result = sample_compare();
  result.comparisons[0].units.resize(1);
  result.comparisons[0].units[0].identity.operator_text = "a \"b\", c";
  result.comparisons[0].units[0].reason = "first\nsecond";
  const std::string text = compare_csv(result);
  EXPECT_THAT(text, HasSubstr("\nhalide,onednn,\"a \"\"b\"\", c\",64"));
  EXPECT_THAT(text, HasSubstr(",slower,\"first\nsecond\",0.4,"));
}

Comparison with_model(std::optional<Ratio> ratio, std::optional<Verdict> verdict) {
  Comparison pair;
  pair.model = compared("model", 10, ratio, verdict);
  return pair;
}

TEST(OutcomeText, HasASentenceForEveryVerdict) {
  EXPECT_EQ(outcome_text(with_model(Ratio{1.061, 1.052, 1.07}, Verdict::kSlower)),
            "model 6.1 % slower (5.2 to 7.0 %)");
  EXPECT_EQ(outcome_text(with_model(Ratio{0.981, 0.977, 0.985}, Verdict::kFaster)),
            "model 1.9 % faster (1.5 to 2.3 %)");
  EXPECT_EQ(outcome_text(with_model(Ratio{0.9999, 0.995, 1.009}, Verdict::kSame)),
            "model the same: +0.0 % (-0.5 to 0.9 %)");
  EXPECT_EQ(outcome_text(with_model(Ratio{3.5, 3.4, 3.6}, Verdict::kSlower)),
            "model 250 % slower (240 to 260 %)");
  Comparison open = with_model(Ratio{1.01, 0.96, 1.06}, Verdict::kInconclusive);
  EXPECT_EQ(outcome_text(open), "model inconclusive: +1.0 % (-4.0 to 6.0 %)");
  open.model.needs_s = 40;
  EXPECT_EQ(outcome_text(open),
            "model inconclusive: +1.0 % (-4.0 to 6.0 %), needs about 40 s more");
  Comparison none = with_model({}, {});
  none.model.reason = "halide: 1 of its units failed";
  EXPECT_EQ(outcome_text(none), "model without a verdict: halide: 1 of its units failed");
}

TEST(OutcomeText, IsThatOfTheOnlyUnitWhereThereIsNoModel) {
  Comparison pair;
  pair.units = {compared("relu", 1, Ratio{0.5, 0.49, 0.51}, Verdict::kFaster)};
  EXPECT_EQ(outcome_text(pair), "relu 50.0 % faster (49.0 to 51.0 %)");
  EXPECT_EQ(outcome_times(pair), "1.000 ms to 0.500 ms");
  pair.units.push_back(pair.units.front());
  EXPECT_EQ(outcome_text(pair), "");
}

TEST(CountsText, LeavesOutWhatThereIsNot) {
  EXPECT_EQ(counts_text({}), "no units");
  EXPECT_EQ(counts_text({2, compared("relu", 1, Ratio{}, Verdict::kSame)}), "2 units same");
}

TEST(OpenText, SaysWhatMoreTimeWouldDecide) {
  CompareUnit open = compared("relu", 1, Ratio{}, Verdict::kInconclusive);
  EXPECT_EQ(open_text({compared("relu", 1, Ratio{}, Verdict::kSame)}), "");
  EXPECT_EQ(open_text({open}),
            "1 inconclusive: more time alone would not decide it, a quieter machine may");
  CompareUnit soon = open;
  soon.needs_s = 100;
  EXPECT_EQ(open_text({soon, soon}), "2 inconclusive: about 4 min more would decide them");
  EXPECT_EQ(open_text({soon, open}),
            "2 inconclusive: about 2 min more would decide 1 of them, a quieter machine may decide "
            "the rest");
}

TEST(DurationText, RoundsUp) {
  EXPECT_EQ(duration_text(0.2), "1 s");
  EXPECT_EQ(duration_text(40.5), "41 s");
  EXPECT_EQ(duration_text(91), "2 min");
  EXPECT_EQ(duration_text(5401), "1.6 h");
}

TEST(CompareTable, NamesTheProgramAndCommitOfEverySide) {
  CompareResult result = sample_compare();
  result.sides[0].build = "main~3";
  result.sides[0].program_version = "0.1.0";
  result.sides[0].commit = "0123456789ab";
  result.sides[1].build = "../old/opbench";
  const std::string table = compare_table(result, 0, {});
  EXPECT_THAT(table, HasSubstr("build main~3, OpBench 0.1.0 (0123456789ab)"));
  EXPECT_THAT(table, HasSubstr("build ../old/opbench, OpBench of an unknown commit"));
  EXPECT_THAT(compare_markdown(result), HasSubstr("OpBench 0.1.0 (0123456789ab)"));
}

}  // namespace
}  // namespace opbench
