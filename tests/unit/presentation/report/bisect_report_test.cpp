#include "presentation/report/regress/bisect_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Five commits; the third is the culprit, the second does not build.
BisectProgress found_progress() {
  BisectProgress progress{
      .question = "q", .target = BisectTarget{{"resnet-18", false, "mine", 2}, "relu 8", "relu 8"}};
  progress.state.rule.end_pairs = progress.state.rule.direct_pairs = 8;
  for (int i = 0; i < 5; ++i) {
    progress.state.commits.push_back({.id = std::string(40, static_cast<char>('a' + i)),
                                      .subject = "change " + std::to_string(i)});
  }
  const auto pairs = [](double centre) {
    std::vector<double> ratios;
    for (int i = 0; i < 8; ++i) ratios.push_back(centre + (i % 2 == 0 ? 0.001 : -0.001));
    return ratios;
  };
  progress.state.commits[1].skipped = "does not build";
  for (const size_t at : {2U, 3U, 4U}) progress.state.commits[at].log_ratios = pairs(0.05);
  return progress;
}

BisectProgress single_progress() {
  BisectProgress progress = found_progress();
  progress.state.commits[1].skipped.clear();
  progress.state.commits[1].log_ratios.assign(8, 0.0);
  progress.state.direct = {.before = 1, .after = 2, .log_ratios = std::vector<double>(8, 0.05)};
  return progress;
}

TEST(BisectReport, NamesTheCulpritWithItsEffectAndCost) {
  const std::string text = bisect_summary(single_progress());
  EXPECT_THAT(text, HasSubstr("resnet-18 · mine · 2 threads · relu 8\n"));
  EXPECT_THAT(text, HasSubstr("cccccccccccc change 2 changed the time by +5.1 % ("));
  EXPECT_THAT(text, HasSubstr("40 pairs of builds, 5 builds"));
  EXPECT_THAT(text, Not(HasSubstr("part")));
}

TEST(BisectReport, TellsAPartOfTheChange) {
  BisectProgress progress = single_progress();
  progress.state.direct.log_ratios.assign(8, 0.03);
  EXPECT_THAT(bisect_summary(progress),
              HasSubstr("that is a part of +5.1 % (+5.1 … +5.2 %) between the ends"));
}

TEST(BisectReport, ListsARange) {
  const std::string text = bisect_summary(found_progress());
  EXPECT_THAT(text, HasSubstr("one of these 2 commits changed the time by +5.1 %"));
  EXPECT_THAT(text, HasSubstr("  bbbbbbbbbbbb change 1\n  cccccccccccc change 2\n"));
  EXPECT_THAT(text, HasSubstr("builds, 1 skipped"));
  EXPECT_THAT(bisect_text(found_progress(), 0, {}), HasSubstr("skipped: does not build"));
}

TEST(BisectReport, SaysThatNothingWasFound) {
  BisectProgress progress = found_progress();
  for (BisectCommit& commit : progress.state.commits) {
    commit.skipped.clear();
    commit.log_ratios.clear();
  }
  EXPECT_THAT(bisect_summary(progress), HasSubstr("not done yet"));
  progress.state.commits.back().log_ratios.assign(160, 0.0);
  EXPECT_THAT(bisect_summary(progress), HasSubstr("the ends do not differ by more than"));
}

TEST(BisectReport, HasAllAsJson) {
  const Json json = bisect_report_json(single_progress());
  EXPECT_EQ(json["schema"], "opbench.bisect/1");
  EXPECT_EQ(json["outcome"], "found");
  EXPECT_EQ(json["culprit"]["commit"], std::string(40, 'c'));
  EXPECT_EQ(json["last_good"], std::string(40, 'b'));
  EXPECT_NEAR(json["effect"]["percent"].get<double>(), 5.127, 0.01);
  EXPECT_EQ(json["pairs"], 40);
  EXPECT_EQ(json["commits"][1]["side"], "good");
  EXPECT_TRUE(json["commits"][0]["change"].is_null());
  EXPECT_EQ(bisect_report_json(found_progress())["commits"][1]["skipped"], "does not build");
  EXPECT_TRUE(bisect_report_json(found_progress())["culprit"].is_null());
}

}  // namespace
}  // namespace opbench
